import { describe, expect, it } from 'vitest'
import { createClockError } from './clock-error.ts'

const SETTLE_MS = 60_000
const HOUR_MS = 3_600_000

/** What is known of the error at the end of each stretch of time in which the clock is wrong by so much. */
function errorsOf(stretches: readonly { readonly seconds: number; readonly wrongMs: number }[]): number[] {
  let steadyMs = 1_000_000
  let wrongMs = stretches[0]?.wrongMs ?? 0
  const error = createClockError({ now: () => 1_800_000_000_000 + steadyMs + wrongMs }, SETTLE_MS, () => steadyMs)
  error()
  return stretches.map((stretch) => {
    wrongMs = stretch.wrongMs
    for (let second = 0; second < stretch.seconds; second++) {
      steadyMs += 1_000
      error()
    }
    return error()
  })
}

describe('[REC-02] the error of the clock', () => {
  it.each([
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ])('is a step %s, for as long as that may be a mistake', (_, wrongMs) => {
    const right = { seconds: 30, wrongMs: 0 }
    expect(errorsOf([right, { seconds: 8, wrongMs }, right])).toEqual([0, wrongMs, 0])
  })

  it('is none once the clock has stood: then it was right to set it', () => {
    const errors = errorsOf([
      { seconds: 30, wrongMs: -HOUR_MS },
      { seconds: 300, wrongMs: 0 },
      { seconds: 400, wrongMs: 0 },
    ])
    expect(errors).toEqual([0, HOUR_MS, 0])
  })

  it('is no drift', () => {
    const drift = Array.from({ length: 100 }, (_, index) => ({ seconds: 10, wrongMs: index * 500 }))
    expect(errorsOf(drift).every((each) => each === 0)).toBe(true)
  })
})
