import { describe, expect, it } from 'vitest'
import { brandingRefusal, versionName } from './brand-words.ts'

const logo = { corner: 'tr', size: 15, margin: 3, opacity: 100 } as const
const frame = { shape: '9:16', fit: 'blur', colour: '#000000', focus: 50 } as const

describe('what a plan has of branding', () => {
  it('[BRAND-04] is said with the plan that has more', () => {
    expect(brandingRefusal('logo', 'none', { plan: 'free-trial' })).toBe(
      'Paket Free Trial belum punya logo sendiri di video. Upgrade ke Starter untuk memakainya.',
    )
    expect(brandingRefusal('full', 'none', { plan: 'free-trial' })).toBe(
      'Paket Free Trial belum punya teks brand di video. Upgrade ke Creator Pro untuk memakainya.',
    )
    expect(brandingRefusal('full', 'logo', { plan: 'starter' })).toBe(
      'Paket Starter bisa memakai logo, belum teks. Upgrade ke Creator Pro untuk branding penuh.',
    )
  })

  it('[BRAND-04] is not mentioned where it is enough, or not known yet', () => {
    expect(brandingRefusal('logo', 'logo', { plan: 'starter' })).toBeNull()
    expect(brandingRefusal('none', 'none', { plan: 'free-trial' })).toBeNull()
    expect(brandingRefusal('logo', 'none', undefined)).toBeNull()
  })
})

describe('a version in words', () => {
  it('[BRAND-02] says what stands on it and how large it is', () => {
    const recipe = '1080x1920@30:4500+b0123456789ab'
    expect(versionName({ recipe, look: { logo, lowerThird: null, frame } })).toBe(
      'logo kanan atas · 9:16 latar buram · 1080×1920',
    )
  })

  it('is as before without a brand, and where the server does not tell it', () => {
    expect(versionName({ recipe: '1280x720@30:2800', look: null })).toBe('1280×720 · 30 fps · 2.800 kbps')
    expect(versionName({ recipe: '1280x720@30:2800+b0123456789ab' })).toContain('dengan brand')
  })
})
