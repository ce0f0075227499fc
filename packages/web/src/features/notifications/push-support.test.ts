import { describe, expect, it } from 'vitest'
import { type BrowserFacts, PUSH_TEXTS, pushSupport } from './push-support.ts'

const ABLE: BrowserFacts = {
  isSecure: true,
  hasPush: true,
  isApplePhone: false,
  isOnHomeScreen: false,
  permission: 'default',
}

describe('[ALERT-04] what is said about push', () => {
  it.each([
    [{}, 'able'],
    [{ permission: 'granted' }, 'able'],
    [{ permission: 'denied' }, 'denied'],
    [{ isSecure: false }, 'needs-https'],
    [{ hasPush: false }, 'unsupported'],
    [{ hasPush: false, isApplePhone: true }, 'needs-home-screen'],
    [{ hasPush: false, isApplePhone: true, isOnHomeScreen: true }, 'unsupported'],
    [{ isApplePhone: true, isOnHomeScreen: true }, 'able'],
  ] as const)('%j: %s', (facts, support) => {
    expect(pushSupport({ ...ABLE, ...facts })).toBe(support)
  })

  it('has a way out in every sentence', () => {
    for (const text of Object.values(PUSH_TEXTS)) expect(text).toMatch(/Buka|buka|tambahkan|Coba/)
  })
})
