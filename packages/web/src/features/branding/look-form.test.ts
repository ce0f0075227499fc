import { Look } from '@siarin/contracts/branding'
import { describe, expect, it } from 'vitest'
import { cropWay, innerSize, isLineSmaller, lookOf, madeSize, newLookForm, UPRIGHT } from './look-form.ts'

const LOGO = { width: 400, height: 200, version: 'a' }
const ALL = { logo: LOGO, text: 'Kopi Senja', allows: 'full' } as const

describe('what the dialog asks for', () => {
  it('[BRAND-02] is a look that the server takes, with what is switched on', () => {
    const form = { ...newLookForm('upright'), withText: true }
    const look = lookOf(form, ALL)
    expect(Look.parse(look)).toEqual(look)
    expect(look).toEqual({ logo: form.logo, lowerThird: form.lowerThird, frame: form.frame })
    expect(lookOf({ ...form, shape: 'own', withText: false }, ALL)).toEqual({
      logo: form.logo,
      lowerThird: null,
      frame: null,
    })
  })

  it('[BRAND-03] says whether a long line gets smaller letters, in the picture that is made', () => {
    const form = { ...newLookForm('own'), withText: true }
    const video = { width: 1280, height: 720 }
    const smaller = (text: string, shape: 'own' | 'upright' = 'own') =>
      isLineSmaller(lookOf({ ...form, shape }, { ...ALL, text }), { text }, video)
    expect(smaller('Kopi Senja')).toBe(false)
    expect(smaller('W'.repeat(80))).toBe(true)
    const between = 'Kopi Senja di sudut kota lama yang tenang'
    expect([smaller(between), smaller(between, 'upright')]).toEqual([false, true])
    expect(isLineSmaller(null, ALL, video)).toBe(false)
  })

  it('[BRAND-04] leaves out what the kit or the plan does not have', () => {
    const form = { ...newLookForm('own'), withText: true }
    expect(lookOf(form, { ...ALL, allows: 'logo' })?.lowerThird).toBeNull()
    expect(lookOf(form, { ...ALL, text: '' })?.lowerThird).toBeNull()
    expect(lookOf(form, { ...ALL, logo: null })?.logo).toBeNull()
    expect(lookOf(form, { ...ALL, allows: 'none' })).toBeNull()
    expect(lookOf({ ...form, shape: 'upright' }, { ...ALL, allows: 'none' })?.frame?.fit).toBe('blur')
  })
})

describe('the picture that is made', () => {
  const wide = { width: 1280, height: 720 }

  it("[BRAND-03] has the video's own shape, or stands upright with the whole video in its middle", () => {
    expect(madeSize(wide, null)).toEqual(wide)
    expect(madeSize(wide, newLookForm('upright').frame)).toEqual(UPRIGHT)
    expect(innerSize(wide, UPRIGHT)).toEqual({ width: 1080, height: 607.5 })
    expect(innerSize({ width: 500, height: 2000 }, UPRIGHT)).toEqual({ width: 480, height: 1920 })
  })

  it('[BRAND-03] can be moved the way in which there is more of it', () => {
    expect(cropWay(wide)).toBe('sideways')
    expect(cropWay({ width: 500, height: 2000 })).toBe('upwards')
    expect(cropWay({ width: 720, height: 1280 })).toBeNull()
  })
})
