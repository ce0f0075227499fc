import { describe, expect, it } from 'vitest'
import { waitAfterFailure } from './login-rules.ts'

describe('[SAFE-06] the wait after a wrong password', () => {
  it.each([
    [0, 0],
    [50, 0],
    [51, 5_000],
    [99, 5_000],
    [100, 10_000],
    [150, 20_000],
    [300, 160_000],
    [350, 300_000],
    [100_000, 300_000],
  ])('of an account that had %i from everywhere is %i ms', (failures, waitMs) => {
    expect(waitAfterFailure(failures)).toBe(waitMs)
  })
})
