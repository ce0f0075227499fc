import { describe, expect, it } from 'vitest'
import { CODE_RULES, LOGIN_RULES, strangersWaitMs } from './guess-rules.ts'

describe('[SAFE-06] the wait of strangers', () => {
  it.each([
    [0, 0],
    [29, 0],
    [30, 5_000],
    [31, 10_000],
    [35, 160_000],
    [36, 300_000],
    [100_000, 300_000],
  ])('who gave %i wrong passwords for an account is %i ms', (failures, waitMs) => {
    expect(strangersWaitMs(failures, LOGIN_RULES)).toBe(waitMs)
  })

  it('is longer for codes, which are short', () => {
    expect([9, 10, 11].map((failures) => strangersWaitMs(failures, CODE_RULES))).toEqual([0, 300_000, 300_000])
  })
})
