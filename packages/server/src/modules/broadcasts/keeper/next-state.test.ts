import { describe, expect, it } from 'vitest'
import {
  after,
  around,
  FRESH,
  LIVE,
  OTHER,
  OWN,
  pollOf,
  START,
  sessionOf,
  timelineOf,
} from '../../../../test/support/keeper-events.ts'
import type { KeeperEvent } from './keeper-state.ts'
import { LONGEST_LAST_PASS_MS, nextState } from './next-state.ts'

describe('a broadcast that a worker takes', () => {
  it('is started once its claim is written, and live when its output moves', () => {
    const { state, types } = after(START, FRESH)
    expect(types).toEqual(['save', 'start', 'save'])
    expect(state).toMatchObject({ stream: { at: 'starting' }, session: { number: 1, pid: 42 } })
    expect(after([pollOf()], state).state.stream.at).toBe('live')
  })

  it('whose ffmpeg still runs goes on with it, from where its time was zero', () => {
    const left = sessionOf({ fromMs: -700 })
    const { state, types } = after([{ type: 'taken-over', session: left }], { ...LIVE, session: null })
    expect(state).toMatchObject({ stream: { at: 'live' }, session: { pid: 42 }, position: { fromMs: -700 } })
    // Which of the two slots comes next is not known: what follows is said anew.
    expect(types).toEqual(['save', 'play-next'])
  })

  it.each([
    ['as far as its row says', 4_000, null, 4_000],
    ['as far as its last words say', 4_000, 4_900, 4_900],
    ['and no longer than it can have been', 90_000, 95_000, 60_000],
    ['not at all where nobody knows', null, null, 0],
  ])('whose ffmpeg has ended was on air, %s', (_, sentMs, outTimeMs, onAirMs) => {
    const left = { ...LIVE, session: null, onAirMs: 1_000, sentMs }
    const later = around({ nowMs: around().nowMs + 60_000 })
    const { state } = after([{ type: 'taken-over', session: null, outTimeMs }], left, later)
    expect(state).toMatchObject({ stream: { at: 'queued' }, onAirMs: 1_000 + onAirMs })
    // Once: it is off air now.
    expect(after([{ type: 'taken-over', session: null, outTimeMs }], state, later).state.onAirMs).toBe(state.onAirMs)
  })

  it('whose video was to be played once and came to its end is over, and a loop goes on', () => {
    const left = { ...LIVE, session: null }
    const later = around({ nowMs: around().nowMs + 60_000, looping: false })
    const taken = { type: 'taken-over', session: null, outTimeMs: 9_900, hasEnded: true } as const
    const { state, types } = after([taken, { type: 'claimed' }], left, later)
    expect(state).toMatchObject({ stream: { at: 'ended', reason: 'finished' }, onAirMs: 9_900 })
    expect(types).toEqual(['save'])
    expect(after([taken], left, { ...later, looping: true }).state.stream.at).toBe('queued')
    expect(after([{ ...taken, hasEnded: false }], left, later).state.stream.at).toBe('queued')
    // A Stop that was under way is one.
    const stopping = after([{ type: 'stop-asked', cause: null }], LIVE).state
    expect(after([taken], stopping, later).state.stream).toMatchObject({ at: 'ended', reason: 'stopped' })
  })

  it('that was being stopped is stopped', () => {
    const stopping = after([{ type: 'stop-asked', cause: null }], LIVE).state
    expect(after([{ type: 'taken-over', session: sessionOf() }], stopping).types).toEqual(['save', 'stop'])
  })
})

describe('a session that comes to nothing', () => {
  it('is ended when it stands still, and what it was ended for is why it waits', () => {
    const stalled = after([pollOf({ verdict: 'stalled' })], LIVE)
    expect(stalled.types).toEqual(['kill'])
    // What is said of it until it is gone changes nothing.
    const still = after([pollOf({ verdict: 'stalled' }), pollOf()], stalled.state)
    expect(still.types).toEqual([])
    const { state } = after([{ type: 'exited', session: 1, reason: 'unknown' }], still.state)
    expect(state).toMatchObject({ stream: { at: 'waiting', reason: 'stalled' }, session: null })
  })

  it('lags: it is ended only where that is judged to help', () => {
    const lagging = after([pollOf({ verdict: 'lagging' })], LIVE)
    expect(lagging.types).toContain('judge-lag')
    expect(after([{ type: 'lag-judged', session: 1, endsIt: false }], lagging.state).types).toEqual([])
    expect(after([{ type: 'lag-judged', session: 1, endsIt: true }], lagging.state).types).toEqual(['kill'])
  })

  it('could not be started while its end was asked for: it has ended', () => {
    const events: KeeperEvent[] = [
      ...START.slice(0, 2),
      { type: 'stop-asked', cause: null },
      { type: 'start-failed', reason: 'name-not-found' },
    ]
    expect(after(events, FRESH).state.stream).toMatchObject({ at: 'ended', reason: 'stopped' })
  })

  it('begins only after its end was asked for: it is ended at once', () => {
    const events: KeeperEvent[] = [
      ...START.slice(0, 2),
      { type: 'stop-asked', cause: null },
      { type: 'started', session: sessionOf() },
    ]
    expect(after(events, FRESH).types.at(-1)).toBe('stop')
  })
})

it('a loop that is taken over is told what comes next, unless its file is gone', () => {
  const taken = (clip: typeof OWN) =>
    after([{ type: 'taken-over', session: sessionOf({ clip }) }], { ...LIVE, session: null }).effects
  expect(taken(OWN)).toContainEqual({ type: 'play-next', next: { clip: OWN, place: null } })
  expect(taken({ ...OWN, path: '' }).map(({ type }) => type)).not.toContain('play-next')
})

describe('the end of a pass', () => {
  const nearEnd = after([pollOf({ outTimeMs: 9_000 })], LIVE).state
  const overEnd = pollOf({ outTimeMs: 10_500 })

  it('ends what is to end with its pass, if it still is', () => {
    const asked = after([{ type: 'end-asked' }], nearEnd)
    expect(asked.types).toEqual([])
    const over = after([overEnd], asked.state)
    expect(over.types).toContain('judge-end')
    expect(after([{ type: 'end-judged', cause: null }], over.state).types).toEqual([])
    const ended = after([{ type: 'end-judged', cause: 'plan-ended' }], over.state)
    expect(ended.state.stream).toMatchObject({ at: 'stopping', cause: 'plan-ended' })
  })

  it('is not waited for for ever', () => {
    const asked = after([{ type: 'end-asked' }], nearEnd)
    const late = around({ steadyMs: 5_000 + LONGEST_LAST_PASS_MS })
    expect(after([pollOf({ outTimeMs: 9_500 })], asked.state).types).not.toContain('judge-end')
    expect(after([pollOf({ outTimeMs: 9_500 })], asked.state, late).types).toContain('judge-end')
  })

  it('is where a session is renewed that its platform would end before the next', () => {
    const now = around({ sessionLimitMs: 20_000 })
    const renewed = after([overEnd], nearEnd, now)
    expect(renewed.types).toEqual(['save', 'stop'])
    expect(timelineOf(renewed.effects)).toEqual(['renewed'])
    expect(renewed.state.stream).toMatchObject({ at: 'stopping', afterwards: 'starting' })
    expect(after([overEnd], nearEnd, { ...now, looping: false }).types).toEqual(['write-figures'])
  })
})

describe('an online source', () => {
  const now = around({ isRelay: true })
  const relayed = after([...START, pollOf()], FRESH, now).state

  it('that is dry is told apart from a target that takes nothing', () => {
    const dry = after([pollOf({ verdict: 'stalled' })], relayed, now)
    expect(dry.effects).toEqual([{ type: 'tell-relay', what: 'went-dry' }, { type: 'kill' }])
    const untaken = after([pollOf({ verdict: 'stalled', unsentBytes: 9_000 })], relayed, now)
    expect(untaken.effects).toEqual([{ type: 'kill' }])
    expect(untaken.state.session?.killedFor).toBe('stalled')
  })

  it('that ends is away, and comes at a pace of its own', () => {
    const ended = after([{ type: 'exited', session: 1, reason: 'source-ended' }], relayed, now)
    expect(ended.effects[0]).toEqual({ type: 'tell-relay', what: 'broke-off' })
    expect(ended.state.stream).toMatchObject({ at: 'waiting', reason: 'source-away' })
    expect(after([pollOf({ verdict: 'lagging' })], relayed, now).types).not.toContain('judge-lag')
  })

  it('is looked for while a video stands in for it, one look at a time, and takes over', () => {
    const standIn = sessionOf({ number: 2, clip: OTHER, onFallback: true })
    const begun = after([{ type: 'started', session: standIn }], { ...relayed, sessions: 2 }, now)
    expect(timelineOf(begun.effects)).toEqual(['fallback'])
    const exited: KeeperEvent = { type: 'exited', session: 2, reason: 'source-ended' }
    expect(after([exited], begun.state, { ...now, looping: false }).state.stream.at).toBe('waiting')
    const due: KeeperEvent = { type: 'source-check-due', check: 'return' }
    const checked = after([due, due, { type: 'source-check-due', check: 'growth' }], begun.state, now)
    expect(checked.types).toEqual(['check-source'])
    const answer = { type: 'source-checked', session: 2 } as const
    expect(after([{ ...answer, needsNewSession: false }, due], checked.state, now).types).toEqual(['check-source'])
    expect(after([{ ...answer, needsNewSession: true }], checked.state, now).types).toEqual(['save', 'stop'])
    expect(after([{ ...answer, session: 1, needsNewSession: true }], checked.state, now).types).toEqual([])
  })
})

describe('the end of the program', () => {
  const now = around({ keepsOnExit: true })

  it('leaves an ffmpeg on air for the next start, also one that is just being started', () => {
    expect(after([{ type: 'halt' }], LIVE, now).types).toEqual(['save', 'leave'])
    const starting = after(START.slice(0, 2), FRESH, now).state
    const halted = after([{ type: 'halt' }], starting, now)
    // Unless its process has not begun.
    expect(halted.types).toEqual(['give-up-start'])
    const givenUp = after([{ type: 'start-given-up' }], halted.state, now)
    expect(givenUp.state.stream).toMatchObject({ at: 'queued', failures: 0 })
    expect(after([{ type: 'started', session: sessionOf() }], halted.state, now).types).toEqual(['save', 'leave'])
    const failed = after([{ type: 'start-failed', reason: 'unknown' }], halted.state, now)
    expect(failed.state.stream.at).toBe('queued')
  })

  it('ends an ffmpeg that may not stay', () => {
    expect(after([{ type: 'halt' }], LIVE).types).toEqual(['save', 'stop'])
  })
})

it('a clock that was set moves the times of the state, which are written at once', () => {
  const moved = nextState(LIVE, { type: 'wait-over' }, around({ nowMs: 8_200_000, clockStepMs: 7_200_000 }))
  expect(moved.state.stream).toMatchObject({ at: 'live', sinceMs: 1_000_000 + 7_200_000 })
  expect(moved.effects).toEqual([{ type: 'save', news: [] }])
})
