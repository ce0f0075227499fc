import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reportScale } from './report-scale.ts'

describe('[STAT-04] the scale of a report', () => {
  it('has round figures, from minutes to hours', () => {
    const words = (seconds: number): string[] => reportScale(seconds).ticks.map((tick) => tick.words)
    expect(words(0)).toEqual(['0 menit', '1 menit'])
    expect(words(252)).toEqual(['0 menit', '2 menit', '4 menit', '6 menit'])
    expect(words(7200)).toEqual(['0 jam', '1 jam', '2 jam'])
    expect(words(86_400)).toEqual(['0 jam', '6 jam', '12 jam', '18 jam', '24 jam'])
  })

  it('is as high as its longest day and has at most four steps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 * 86_400 }), (most) => {
        const { top, ticks } = reportScale(most)
        expect(top).toBeGreaterThanOrEqual(most)
        expect(ticks.length).toBeLessThanOrEqual(5)
        expect([ticks[0]?.part, ticks.at(-1)?.part]).toEqual([0, 1])
      }),
    )
  })
})
