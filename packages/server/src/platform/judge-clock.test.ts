import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SMALLEST_STEP_MS } from './clock.ts'
import { type ClockState, judgeClock } from './judge-clock.ts'

const SETTLE_MS = 60_000
/** After a jump of more than ten minutes. */
const LONG_SETTLE_MS = 600_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const TRUE_MS = Date.parse('2026-11-16T05:00:00Z')

interface Moment {
  /** How much true time passes before it. */
  readonly afterMs: number
  /** How far the wall clock is from the true time. */
  readonly wrongMs: number
}

/** Whether the clock may be ahead at each of these moments. */
function judgeAll(
  moments: readonly Moment[],
  seenAt: number | null = null,
  isSynchronizedAt: (steadyMs: number) => boolean = () => false,
): boolean[] {
  let state: ClockState | null = null
  let steadyMs = 5_000
  return moments.map(({ afterMs, wrongMs }) => {
    steadyMs += afterMs
    const wallMs = TRUE_MS + steadyMs + wrongMs
    state = judgeClock(
      state,
      { wallMs, steadyMs },
      {
        ...{ settleMs: SETTLE_MS, seenAt },
        isSynchronized: () => isSynchronizedAt(steadyMs),
      },
    )
    return state.mayBeAhead
  })
}

const every5s = (seconds: number, wrongMs: number): Moment[] =>
  Array.from({ length: Math.ceil(seconds / 5) }, () => ({ afterMs: 5_000, wrongMs }))
const heldCount = (held: readonly boolean[]): number => held.filter(Boolean).length

describe('[SCHED-02] the judge of the clock', () => {
  it.each([
    ['40 days ahead for 17 s', 40 * DAY_MS, 17],
    ['2 hours ahead for 7 s', 2 * HOUR_MS, 7],
    ['an hour ahead for 50 s', HOUR_MS, 50],
    ['an hour ahead for 9 minutes', HOUR_MS, 540],
    ['5 minutes ahead for 50 s', 300_000, 50],
  ])('%s: holds all the while, and not a moment longer', (_, wrongMs, seconds) => {
    const wrong = every5s(seconds, wrongMs)
    const held = judgeAll([...every5s(100, 0), ...wrong, ...every5s(200, 0)])
    expect(held.slice(0, 20)).toEqual(Array(20).fill(false))
    expect(held.slice(20, 20 + wrong.length)).toEqual(wrong.map(() => true))
    expect(heldCount(held)).toBe(wrong.length)
  })

  it('back and forward again: never holds before that has stood, and then for as long as such a jump has to stand', () => {
    const backFor = (seconds: number, byMs: number) =>
      heldCount(judgeAll([...every5s(60, 0), ...every5s(seconds, -byMs), ...every5s(1_200, 0)]))
    expect(backFor(40, 300_000)).toBe(0)
    expect(backFor(300, 300_000)).toBe(SETTLE_MS / 5_000)
    expect(backFor(540, HOUR_MS)).toBe(0)
    expect(backFor(900, HOUR_MS)).toBe(LONG_SETTLE_MS / 5_000)
  })

  it('a jump of more than ten minutes has to stand for ten minutes, a smaller one for one', () => {
    const forward = (byMs: number) => heldCount(judgeAll([...every5s(100, 0), ...every5s(1_200, byMs)]))
    expect(forward(600_000 + SMALLEST_STEP_MS)).toBe(LONG_SETTLE_MS / 5_000)
    expect(forward(600_000 - SMALLEST_STEP_MS)).toBe(SETTLE_MS / 5_000)
  })

  it('at boot: by local time it holds until it is set right, after a short gap it does not', () => {
    const seenAt = TRUE_MS - 120_000
    for (const seconds of [30, 61, 540]) {
      const held = judgeAll([...every5s(seconds, 7 * HOUR_MS), ...every5s(60, 0)], seenAt)
      expect(held).toEqual(Array.from(held, (_, index) => index < Math.ceil(seconds / 5)))
    }
    expect(heldCount(judgeAll(every5s(60, 0), seenAt))).toBe(0)
  })

  it('at boot after a day: it counts once a time server has set it, or after ten minutes', () => {
    const seenAt = TRUE_MS - DAY_MS
    expect(heldCount(judgeAll(every5s(1_200, 0), seenAt))).toBe(LONG_SETTLE_MS / 5_000)
    expect(heldCount(judgeAll(every5s(120, 0), seenAt, () => true))).toBe(0)
    const bootMs = 5_000
    expect(heldCount(judgeAll(every5s(120, 0), seenAt, (steadyMs) => steadyMs - bootMs > 30_000))).toBe(6)
  })

  it('never goes by a clock that was set forward and has not stood, whatever came before', () => {
    const someMoment = fc.record({
      afterMs: fc.integer({ min: 100, max: 60_000 }),
      wrongMs: fc.constantFrom(0, 0, 0, 0, 300_000, -HOUR_MS, HOUR_MS, 2 * HOUR_MS, 40 * DAY_MS),
    })
    fc.assert(
      fc.property(fc.array(someMoment, { maxLength: 60 }), (moments) => {
        const history = [...every5s(100, 0), ...moments]
        const held = judgeAll(history)
        let [atMs, stoodSince] = [0, 0]
        /** The offset that has stood last. */
        let trusted = 0
        history.forEach(({ afterMs, wrongMs }, index) => {
          atMs += afterMs
          if (wrongMs !== (history[index - 1]?.wrongMs ?? wrongMs)) stoodSince = atMs
          const settleMs = Math.abs(wrongMs - trusted) > 600_000 ? LONG_SETTLE_MS : SETTLE_MS
          const hasStood = index > 0 && atMs - stoodSince >= settleMs
          expect(held[index]).toBe(!hasStood && wrongMs > trusted)
          if (hasStood) trusted = wrongMs
        })
      }),
      { numRuns: 300 },
    )
  })

  it('follows a clock that is slewed, and takes no step below two seconds for one', () => {
    const slewed = Array.from({ length: 500 }, (_, index) => ({ afterMs: 5_000, wrongMs: index * 100 }))
    expect(heldCount(judgeAll(slewed))).toBe(0)
    expect(heldCount(judgeAll([...every5s(100, 0), ...every5s(50, SMALLEST_STEP_MS - 1)]))).toBe(0)
  })
})
