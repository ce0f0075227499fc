import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_SESSION_MS, shouldRenewSession } from './session-limit.ts'

const HOUR = 3_600_000

/** Looks each second, as the keeper does; answers when it renewed and whether that was at an end of the video. */
function renewal(clipMs: number, limitMs: number | null): { ranMs: number; atBoundary: boolean } {
  const stepMs = 1_000
  for (let ranMs = stepMs; ; ranMs += stepMs) {
    const atBoundary = Math.floor(ranMs / clipMs) > Math.floor((ranMs - stepMs) / clipMs)
    if (shouldRenewSession({ ranMs, atBoundary, clipMs, limitMs })) return { ranMs, atBoundary }
  }
}

describe('a session that has a limit', () => {
  it('is renewed at the last end of the video before it', () => {
    const { ranMs, atBoundary } = renewal(10 * 60_000, 8 * HOUR)
    expect(atBoundary).toBe(true)
    expect(ranMs).toBe(8 * HOUR - 10 * 60_000)
  })

  it('is renewed shortly before it when the video is longer', () => {
    expect(renewal(9 * HOUR, 8 * HOUR)).toEqual({ ranMs: 8 * HOUR - 30_000, atBoundary: false })
  })

  it('of a minute or so keeps a tenth of it as its margin', () => {
    expect(renewal(HOUR, 60_000)).toEqual({ ranMs: 54_000, atBoundary: false })
  })

  it('goes on when one more video fits to the millisecond, and not when it is a little too long', () => {
    const atEnd = (clipMs: number) =>
      shouldRenewSession({ ranMs: 7 * HOUR, atBoundary: true, clipMs, limitMs: 8 * HOUR })
    expect(atEnd(HOUR - 30_000)).toBe(false)
    expect(atEnd(HOUR - 29_999)).toBe(true)
  })

  it('never reaches the limit, and goes on for as long as whole videos fit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 7_200 }), fc.integer({ min: 60, max: 14_400 }), (clip, limit) => {
        const { ranMs, atBoundary } = renewal(clip * 1000, limit * 1000)
        expect(ranMs).toBeLessThan(limit * 1000)
        if (atBoundary) expect(ranMs + clip * 1000).toBeGreaterThan(limit * 1000 * 0.9 - 1_000)
      }),
      { numRuns: 50 },
    )
  })
})

it('without a limit it is renewed before the time-stamps of FLV wrap', () => {
  const at = (ranMs: number, atBoundary: boolean) =>
    shouldRenewSession({ ranMs, atBoundary, clipMs: 60_000, limitMs: null })
  expect(at(20 * 24 * HOUR, true)).toBe(false)
  expect(at(LONGEST_SESSION_MS - 60_000, true)).toBe(true)
  expect(at(LONGEST_SESSION_MS - 60_000, false)).toBe(false)
  expect(at(LONGEST_SESSION_MS, false)).toBe(true)
  expect(LONGEST_SESSION_MS).toBeLessThan(2 ** 31)
})
