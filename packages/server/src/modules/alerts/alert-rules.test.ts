import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decideOnce,
  decideStream,
  type RuleSettings,
  type StreamEvent,
  type StreamIncident,
  type Telling,
} from './alert-rules.ts'

const SETTINGS: RuleSettings = { offAirMinutes: 1, restartsPerHour: 5 }
const MINUTE = 60_000
const off = (at: number, planned = false): StreamEvent => ({
  type: 'interrupted',
  at,
  reason: 'target-closed',
  planned,
})
const back = (at: number, offAirMs: number | null = null): StreamEvent => ({ type: 'recovered', at, offAirMs })

function tellAll(events: readonly StreamEvent[], settings = SETTINGS): Telling[] {
  let state: StreamIncident | null = null
  return events.flatMap((event) => {
    const decision = decideStream(state, event, settings)
    state = decision.state
    return [...decision.tell]
  })
}
const kinds = (events: readonly StreamEvent[], settings = SETTINGS): string[] =>
  tellAll(events, settings).map(({ kind }) => kind)

describe('ALERT-01 a broadcast that goes off air', () => {
  it('is told after a minute, once, and its end with how long it lasted', () => {
    const told = tellAll([
      off(1_000),
      { type: 'time-passed', at: 61_000 },
      { type: 'time-passed', at: 90_000 },
      back(121_000),
    ])
    expect(told).toEqual([
      { kind: 'stream.offair', details: { at: 61_000, when: 1_000, reason: 'target-closed' } },
      { kind: 'stream.back', details: { at: 121_000, when: 1_000, lengthMs: 120_000 } },
    ])
  })

  it('says why it is off air then, not why it went', () => {
    const still = (at: number): StreamEvent => ({ type: 'still-off', at, reason: 'target-unreachable' })
    const reasons = (events: readonly StreamEvent[]) => tellAll(events).map(({ details }) => details.reason)
    expect(reasons([off(1_000), still(5_000), { type: 'time-passed', at: 61_000 }])).toEqual(['target-unreachable'])
    expect(reasons([off(1_000), { type: 'time-passed', at: 61_000 }, still(65_000)])).toEqual(['target-closed'])
    // Without a beginning there is nothing that it could be about.
    expect(decideStream(null, still(5_000), SETTINGS)).toEqual({ state: null, tell: [], dueAt: null })
  })

  it('is not told below the minute, and then has no end either', () => {
    expect(kinds([off(0), { type: 'time-passed', at: 59_999 }, back(59_999)])).toEqual([])
  })

  it('is told late, with its end, where nobody could look in time', () => {
    expect(kinds([off(0), back(5 * MINUTE)])).toEqual(['stream.offair', 'stream.back'])
  })

  it('says when time alone will have something to tell', () => {
    expect(decideStream(null, off(5_000), { ...SETTINGS, offAirMinutes: 3 }).dueAt).toBe(5_000 + 3 * MINUTE)
    expect(decideStream(null, back(5_000), SETTINGS).dueAt).toBeNull()
  })

  it('is not told for a planned change of sessions, unless that lasts too long', () => {
    expect(kinds([off(0, true), back(20_000), off(100_000, true), back(130_000)])).toEqual([])
    expect(kinds([off(0, true), back(70_000)])).toEqual(['stream.offair', 'stream.back'])
  })

  it('ends quietly when its owner stops it, also after it was told', () => {
    expect(kinds([off(0), { type: 'ended', at: 30_000 }])).toEqual([])
    expect(kinds([off(0), { type: 'time-passed', at: MINUTE }, { type: 'ended', at: 90_000 }, back(100_000)])).toEqual([
      'stream.offair',
    ])
  })

  it('believes who brought it back about the length: a clock may have been set', () => {
    expect(kinds([off(0), back(3_600_000, 5_000)])).toEqual([])
    expect(kinds([off(3_600_000), back(100_000, 120_000)])).toEqual(['stream.offair', 'stream.back'])
  })

  it('is told when it is given up', () => {
    expect(tellAll([{ type: 'failed', at: 7, cause: 'target-refused' }])).toEqual([
      { kind: 'stream.failed', details: { at: 7, reason: 'target-refused' } },
    ])
  })
})

describe('ALERT-01 a broadcast that restarts too often', () => {
  const restarts = (count: number, everyMs: number, from = 0): StreamEvent[] =>
    Array.from({ length: count }, (_, index) => from + index * everyMs).flatMap((at) => [off(at), back(at + 1_000)])

  it('is told at the sixth within an hour, and not again while it goes on', () => {
    expect(kinds(restarts(5, 5 * MINUTE))).toEqual([])
    expect(kinds(restarts(60, 5 * MINUTE))).toEqual(['stream.flapping'])
    expect(kinds(restarts(40, 11 * MINUTE))).toEqual(['stream.flapping'])
    expect(kinds(restarts(40, 13 * MINUTE))).toEqual([])
  })

  it('is told again after a calm time', () => {
    expect(kinds([...restarts(10, MINUTE), ...restarts(10, MINUTE, 5 * 60 * MINUTE)])).toEqual([
      'stream.flapping',
      'stream.flapping',
    ])
  })
})

const history = fc
  .array(
    fc.record({
      gapMs: fc.integer({ min: 1, max: 200_000 }),
      kind: fc.constantFrom('off', 'planned', 'back', 'ended', 'failed', 'time'),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let at = 0
    return steps.map(({ gapMs, kind }): StreamEvent => {
      at += gapMs
      if (kind === 'off' || kind === 'planned') return off(at, kind === 'planned')
      if (kind === 'back') return back(at)
      if (kind === 'ended') return { type: 'ended', at }
      return kind === 'failed' ? { type: 'failed', at, cause: null } : { type: 'time-passed', at }
    })
  })

describe('ALERT-02 any history of a broadcast', () => {
  it('tells each interruption at most once, each end once and after its beginning, and nothing below the threshold', () => {
    fc.assert(
      fc.property(history, (events) => {
        let state: StreamIncident | null = null
        /** Since when the interruption runs whose beginning was told and whose end was not. */
        let open: number | null = null
        for (const event of events) {
          const decision = decideStream(state, event, SETTINGS)
          state = decision.state
          for (const { kind, details } of decision.tell) {
            if (kind === 'stream.offair') {
              expect(open).toBeNull()
              open = details.when ?? -1
              expect(details.at - open).toBe(MINUTE)
            } else if (kind === 'stream.back') {
              expect(details.when).toBe(open)
              expect(details.lengthMs).toBeGreaterThanOrEqual(MINUTE)
              open = null
            }
          }
          // The end by its owner, and being given up, end it without a word about its length.
          if (event.type === 'ended' || event.type === 'failed') open = null
        }
      }),
      { numRuns: 500 },
    )
  })

  it('tells the same, whenever somebody looks in between', () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(12_000_000), { maxLength: 40 }), (events, looks) => {
        const facts = events.filter(({ type }) => type !== 'time-passed')
        const last = facts.at(-1)?.at ?? 0
        const end: StreamEvent = { type: 'time-passed', at: last + 10 * MINUTE }
        const looked = looks.filter((at) => at <= last).map((at): StreamEvent => ({ type: 'time-passed', at }))
        const mixed = [...facts, ...looked].sort((one, other) => one.at - other.at)
        expect(tellAll([...mixed, end])).toEqual(tellAll([...facts, end]))
      }),
      { numRuns: 500 },
    )
  })

  it('asks to be looked at again only while there is something to wait for', () => {
    fc.assert(
      fc.property(history, (events) => {
        let state: StreamIncident | null = null
        for (const event of events) {
          const decision = decideStream(state, event, SETTINGS)
          state = decision.state
          expect(decision.dueAt !== null).toBe(Boolean(state?.off && !state.off.isTold))
          expect(state?.restarts.length ?? 0).toBeLessThanOrEqual(101)
        }
      }),
    )
  })
})

describe('ALERT-01 what happens in one moment', () => {
  it('is told once for each key, and each time without one', () => {
    const telling: Telling = { kind: 'schedule.missed', details: { at: 1 } }
    const first = decideOnce(null, telling, 'a')
    expect(first.tell).toEqual([telling])
    expect(decideOnce(first.state, telling, 'a').tell).toEqual([])
    expect(decideOnce(first.state, telling, 'b').tell).toEqual([telling])
    expect(decideOnce(null, telling, null).tell).toEqual([telling])
  })
})
