import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beganAt } from './record-pieces.ts'

const HOUR_MS = 3_600_000
const last = { at: 1_000_000, session: 's1', out_from_ms: 2_000.5, ms: 4_000.4 }

describe('[REC-02] when a piece of a recording began', () => {
  it('follows from the piece before and from the time of ffmpeg, within a session', () => {
    expect(beganAt(last, { at: 5, session: 's1', outFromMs: 6_000.9 })).toBe(1_004_000)
  })

  it('is told by the clock, in a new session', () => {
    expect(beganAt(undefined, { at: 77, session: 's1', outFromMs: 0 })).toBe(77)
    expect(beganAt(last, { at: 1_009_000, session: 's2', outFromMs: 0 })).toBe(1_009_000)
  })

  it('is not before the end of what the stream sent before, whatever the clock was set to', () => {
    expect(beganAt(last, { at: 1_000_000 - HOUR_MS, session: 's2', outFromMs: 0 })).toBe(1_004_001)
    const steps = fc.record({
      clockMs: fc.integer({ min: -HOUR_MS, max: HOUR_MS }),
      ms: fc.double({ min: 0, max: 10_000, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(steps), (sessions) => {
        let before: Parameters<typeof beganAt>[0]
        for (const [number, { clockMs, ms }] of sessions.entries()) {
          const session = `s${number}`
          const at = beganAt(before, { at: 10 * HOUR_MS + number * 10_000 + clockMs, session, outFromMs: 0 })
          expect(Number.isInteger(at)).toBe(true)
          if (before) expect(at).toBeGreaterThanOrEqual(before.at + before.ms)
          before = { at, session, out_from_ms: 0, ms }
        }
      }),
    )
  })
})
