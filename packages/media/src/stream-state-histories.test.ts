import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nobodyAnswered } from './parse/exit-reason.ts'
import {
  type Circumstances,
  hasProcess,
  initialState,
  MAX_FIRST_TRIES,
  nextPhase,
  type StreamEvent,
  type StreamState,
} from './stream-state.ts'

const at = (nowMs: number, more: Partial<Circumstances> = {}): Circumstances => ({
  nowMs,
  random: 1,
  looping: true,
  ...more,
})
const exited: StreamEvent = { type: 'exited', reason: 'target-closed', sourceEnded: false }

describe('whatever happens', () => {
  const anyEvent: fc.Arbitrary<StreamEvent> = fc.oneof(
    fc.constantFrom<StreamEvent>(
      { type: 'claimed' },
      { type: 'moving' },
      { type: 'wait-over' },
      { type: 'halt' },
      { type: 'restart-asked' },
    ),
    fc.integer({ min: -7_200_000, max: 7_200_000 }).map((byMs): StreamEvent => ({ type: 'clock-stepped', byMs })),
    fc
      .tuple(fc.constantFrom('unknown', 'target-refused', 'target-unreachable', 'timed-out'), fc.boolean())
      .map(([reason, sourceEnded]): StreamEvent => ({ type: 'exited', reason, sourceEnded })),
  )
  // Left to itself fast-check makes some ten of them, too few to be on air twice.
  const steps = fc.array(fc.tuple(anyEvent, fc.nat(90_000), fc.double({ min: 0, max: 1, noNaN: true })), {
    maxLength: 200,
    size: 'max',
  })

  /** Carries the decisions out as the supervisor does, and counts processes. */
  function* play(history: readonly (readonly [StreamEvent, number, number])[]) {
    let state: StreamState = initialState
    let processes = 0
    let nowMs = 0
    for (const [event, stepMs, random] of history) {
      nowMs += stepMs + (event.type === 'clock-stepped' ? event.byMs : 0)
      // Only a process that runs can move or exit.
      if ((event.type === 'exited' || event.type === 'moving') && processes === 0) continue
      if (event.type === 'exited') processes--
      const next = nextPhase(state, event, { nowMs, random, looping: true })
      if (next.at === 'starting' && state.at !== 'starting') processes++
      yield { before: state, event, after: next, processes, nowMs }
      state = next
    }
  }

  it('there are never two processes, and one only in the states that have one', () => {
    fc.assert(
      fc.property(steps, (history) => {
        for (const { after, processes } of play(history)) {
          expect(processes).toBeLessThanOrEqual(1)
          expect(processes === 1).toBe(hasProcess(after))
        }
      }),
    )
  })

  it('a stop that is asked ends it, at once or when its process is gone', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const states = [initialState, ...[...play(history)].map(({ after }) => after)]
        for (const state of states) {
          const stopped = nextPhase(state, { type: 'stop-asked' }, at(0))
          const end = hasProcess(state) ? nextPhase(stopped, exited, at(0)) : stopped
          expect(end.at).toBe('ended')
        }
      }),
    )
  })

  it('an ended stream stays ended', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const ended: StreamState = { at: 'ended', reason: 'stopped', cause: null }
        expect(nextPhase(ended, event, at(0))).toBe(ended)
      }),
    )
  })

  it('the time since it was first on air moves with the clock only', () => {
    fc.assert(
      fc.property(steps, (history) => {
        for (const { before, event, after, nowMs } of play(history)) {
          if (before.at === 'ended' || after.at === 'ended') continue
          const byMs = event.type === 'clock-stepped' ? event.byMs : 0
          if (before.firstLiveMs !== null) expect(after.firstLiveMs).toBe(before.firstLiveMs + byMs)
          else if (after.at === 'live') expect(after.firstLiveMs).toBe(nowMs)
          else expect(after.firstLiveMs).toBeNull()
        }
      }),
    )
  })

  it('it is given up only by a target that never took it, and after five tries', () => {
    fc.assert(
      fc.property(steps, (history) => {
        let tries = 0
        for (const { before, event, after } of play(history)) {
          if (event.type === 'exited' && (before.at === 'starting' || before.at === 'live')) tries++
          if (after.at !== 'ended' || before.at === 'ended') continue
          expect(before).toMatchObject({ accepted: false })
          expect(tries).toBe(MAX_FIRST_TRIES)
        }
      }),
    )
  })

  it('a wait is never above 5 s in the first two minutes of an outage, and never above 60 s', () => {
    fc.assert(
      fc.property(steps, (history) => {
        let offAirSince: number | null = null
        for (const { after, event, nowMs } of play(history)) {
          if (after.at === 'live') offAirSince = null
          if (event.type === 'clock-stepped' && offAirSince !== null) offAirSince += event.byMs
          if (event.type !== 'exited') continue
          // Also where its session was ended on purpose.
          offAirSince ??= nowMs
          if (after.at !== 'waiting') continue
          const wait = after.untilMs - nowMs
          expect(wait).toBeGreaterThan(0)
          // Nobody has watched it yet: there is time to see whether somebody answers after all.
          if (!after.accepted && nobodyAnswered(after.reason)) {
            expect(wait).toBeLessThanOrEqual(80_000)
            continue
          }
          const awayMs = nowMs - offAirSince
          expect(wait).toBeLessThanOrEqual(awayMs < 120_000 ? 5_000 : 60_000)
          // However long it was away: nobody waits for more than a small part of that again.
          expect(wait).toBeLessThanOrEqual(Math.max(5_000, awayMs / 20))
        }
      }),
    )
  })
})
