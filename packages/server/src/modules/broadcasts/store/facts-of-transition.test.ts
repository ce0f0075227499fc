import { initialState, nextPhase, type StreamEvent, type StreamState } from '@siarin/media/stream-state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamFact } from '../../../platform/outbox/facts.ts'
import { factsOfTransition } from './facts-of-transition.ts'

const anyEvent: fc.Arbitrary<StreamEvent> = fc.oneof(
  fc.constantFrom<StreamEvent>(
    { type: 'claimed' },
    { type: 'moving' },
    { type: 'wait-over' },
    { type: 'halt' },
    { type: 'restart-asked' },
    { type: 'process-found' },
    { type: 'process-missing' },
  ),
  fc.integer({ min: -7_200_000, max: 7_200_000 }).map((byMs): StreamEvent => ({ type: 'clock-stepped', byMs })),
  fc
    .tuple(fc.constantFrom('unknown', 'target-refused', 'target-unreachable'), fc.boolean())
    .map(([reason, sourceEnded]): StreamEvent => ({ type: 'exited', reason, sourceEnded })),
)
/** Mostly towards going on air, and seldom a stop: left to chance alone, few histories get there twice. */
const likelyEvent = fc.oneof(
  { weight: 30, arbitrary: anyEvent },
  {
    weight: 30,
    arbitrary: fc.constantFrom<StreamEvent>({ type: 'claimed' }, { type: 'wait-over' }, { type: 'moving' }),
  },
  { weight: 1, arbitrary: fc.constant<StreamEvent>({ type: 'stop-asked' }) },
)
const histories = fc.record({
  looping: fc.boolean(),
  events: fc.array(fc.tuple(likelyEvent, fc.nat(90_000)), { maxLength: 200, size: 'max' }),
})

interface History {
  readonly looping: boolean
  readonly events: readonly (readonly [StreamEvent, number])[]
}

function play({ looping, events }: History): { facts: StreamFact[]; states: StreamState[] } {
  const facts: StreamFact[] = []
  const states: StreamState[] = [initialState]
  let nowMs = 0
  for (const [event, stepMs] of events) {
    nowMs += stepMs + (event.type === 'clock-stepped' ? event.byMs : 0)
    const before = states.at(-1) ?? initialState
    const after = nextPhase(before, event, { nowMs, random: 1, looping })
    facts.push(...factsOfTransition(before, after, nowMs))
    states.push(after)
  }
  return { facts, states }
}

const namesOf = (facts: readonly StreamFact[]): string[] => facts.map(({ fact }) => fact)

/** In one word each: L live, i interrupted, s still off, r recovered, E ended, F failed. */
const LETTERS: Readonly<Record<string, string>> = {
  'stream.live': 'L',
  'stream.interrupted': 'i',
  'stream.still-off': 's',
  'stream.recovered': 'r',
  'stream.ended': 'E',
  'stream.failed': 'F',
}

describe('the facts of a stream, whatever happens to it', () => {
  it('are one first time on air, interruptions that are each recovered from, and one end that comes last', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const told = namesOf(play(history).facts)
          .map((name) => LETTERS[name])
          .join('')
        expect(told).toMatch(/^(F|E|(L(is*r)*(is*)?E?))?$/)
      }),
    )
  })

  it('say whether it is on air, and whether it has ended', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { facts, states } = play(history)
        const last = states.at(-1) ?? initialState
        const names = namesOf(facts)
        if (last.at === 'live') expect(['stream.live', 'stream.recovered']).toContain(names.at(-1))
        if (last.at === 'ended') expect(['stream.ended', 'stream.failed']).toContain(names.at(-1))
        else expect(names.filter((name) => name === 'stream.ended' || name === 'stream.failed')).toEqual([])
        expect(names.includes('stream.live')).toBe(states.some(({ at }) => at === 'live'))
      }),
    )
  })
})

describe('a stream', () => {
  const at = (nowMs: number) => ({ nowMs, random: 1, looping: false })
  const live = nextPhase(nextPhase(initialState, { type: 'claimed' }, at(0)), { type: 'moving' }, at(1))
  const after = (event: StreamEvent, from: StreamState = live): StreamFact[] =>
    factsOfTransition(from, nextPhase(from, event, at(50)), 50)

  it('whose ffmpeg exits is interrupted for that reason, and back with how long it was away', () => {
    const exited: StreamEvent = { type: 'exited', reason: 'target-closed', sourceEnded: false }
    expect(after(exited)).toEqual([
      { at: 50, fact: 'stream.interrupted', payload: { reason: 'target-closed', planned: false } },
    ])
    const again = nextPhase(nextPhase(live, exited, at(50)), { type: 'wait-over' }, at(350))
    const away = nextPhase(again, { type: 'exited', reason: 'target-unreachable', sourceEnded: false }, at(400))
    expect(factsOfTransition(again, away, 400, 'target-closed')).toEqual([
      { at: 400, fact: 'stream.still-off', payload: { reason: 'target-unreachable' } },
    ])
    expect(factsOfTransition(again, away, 400, 'target-unreachable')).toEqual([])
    expect(factsOfTransition(again, nextPhase(again, { type: 'moving' }, at(1_050)), 1_050)).toEqual([
      { at: 1_050, fact: 'stream.recovered', payload: { offAirMs: 1_000 } },
    ])
  })

  it('that begins a new session is interrupted on purpose; one whose program ends is not', () => {
    const of = (event: StreamEvent) => after(event).map(({ payload }) => payload)
    expect(of({ type: 'restart-asked' })).toEqual([{ reason: 'session-renewed', planned: true }])
    expect(of({ type: 'halt' })).toEqual([{ reason: 'program-restarted', planned: false }])
    expect(of({ type: 'process-missing' })).toEqual([{ reason: 'program-restarted', planned: false }])
  })

  it('that is stopped, or has come to its end, is not interrupted first', () => {
    const stopping = nextPhase(live, { type: 'stop-asked', cause: 'suspended' }, at(50))
    expect(after({ type: 'stop-asked', cause: 'suspended' })).toEqual([])
    expect(after({ type: 'exited', reason: 'unknown', sourceEnded: false }, stopping)).toEqual([
      { at: 50, fact: 'stream.ended', payload: { reason: 'stopped', cause: 'suspended' } },
    ])
    expect(after({ type: 'exited', reason: 'source-ended', sourceEnded: true })).toEqual([
      { at: 50, fact: 'stream.ended', payload: { reason: 'finished', cause: null } },
    ])
  })

  it('that its target never takes has failed', () => {
    const tries = { failures: 4, accepted: false, offAirSinceMs: null, firstLiveMs: null, reconnects: 0 }
    const last: StreamState = { at: 'starting', ...tries }
    expect(after({ type: 'exited', reason: 'target-refused', sourceEnded: false }, last)).toEqual([
      { at: 50, fact: 'stream.failed', payload: { cause: 'target-refused' } },
    ])
  })
})
