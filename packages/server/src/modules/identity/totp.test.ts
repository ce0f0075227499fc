import { describe, expect, it } from 'vitest'
import { matchingStep, newTotpSecret, stepAt, toBase32, totpAt, totpUri } from './totp.ts'

const RFC_SECRET = toBase32(Buffer.from('12345678901234567890'))

describe('codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %i s', (seconds, code) => {
    expect(totpAt(RFC_SECRET, stepAt(seconds * 1000))).toBe(code)
  })

  it('count a step to either side, and no further', () => {
    const now = 1_234_567_890_000
    const step = stepAt(now)
    for (const drift of [-1, 0, 1])
      expect(matchingStep(RFC_SECRET, totpAt(RFC_SECRET, step + drift), now)).toBe(step + drift)
    for (const drift of [-2, 2]) expect(matchingStep(RFC_SECRET, totpAt(RFC_SECRET, step + drift), now)).toBeNull()
    for (const odd of ['', '12345', '1234567', 'abcdef', '00 592'])
      expect(matchingStep(RFC_SECRET, odd, now)).toBeNull()
  })

  it('come from secrets of 160 bits that an app can read', () => {
    expect(RFC_SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
    expect(newTotpSecret()).not.toBe(newTotpSecret())
    expect(totpUri('ABC', 'Siarin & Co', 'budi@gmail.com')).toBe(
      'otpauth://totp/Siarin%20%26%20Co:budi%40gmail.com?secret=ABC&issuer=Siarin%20%26%20Co&algorithm=SHA1&digits=6&period=30',
    )
  })
})
