import { describe, expect, it } from 'vitest'
import { lowerThirdSvg } from './lower-third.ts'

const look = {
  ...{ size: { width: 640, height: 40 }, fontSize: 20, gap: 26, opacity: 0.7 },
  colours: { text: '#ffffff', background: '#112233' },
}

describe('[BRAND-01] a line of text', () => {
  it('is drawn as what it says, whatever it says', () => {
    const drawn = lowerThirdSvg(`</text><script>a & "b" 'c'`, { ...look, align: 'center' })
    expect(drawn).toContain('>&lt;/text&gt;&lt;script&gt;a &amp; &quot;b&quot; &apos;c&apos;</text></svg>')
    expect(drawn).toContain('x="320" y="27.30" text-anchor="middle"')
    expect(drawn).toContain('fill="#112233" fill-opacity="0.70"')
  })

  it('stands where it was put', () => {
    expect(lowerThirdSvg('a', { ...look, align: 'left' })).toContain('x="26" y="27.30" text-anchor="start"')
    expect(lowerThirdSvg('a', { ...look, align: 'right' })).toContain('x="614" y="27.30" text-anchor="end"')
  })
})
