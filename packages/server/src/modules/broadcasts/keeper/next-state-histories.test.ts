import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clip } from '../sequence/clips.ts'
import { type Effect, type KeeperEvent, NEW_KEEPER, type Poll, type Surroundings } from './keeper-state.ts'
import { nextState } from './next-state.ts'

const clipOf = (videoId: string): Clip => ({
  videoId,
  filename: `${videoId}.mp4`,
  path: `/media/${videoId}.mp4`,
  durationMs: 10_000,
  bytes: 1_000_000,
  loop: null,
})

const POLL: Poll = {
  verdict: 'moving',
  bitrateKbps: 800,
  speed: 1,
  frames: 25,
  outTimeMs: 5_000,
  unsentBytes: 0,
  clipMs: 10_000,
  saidAgoMs: 0,
  reads: null,
}

/** What may happen next. Whether it can, the world says. */
type Step =
  | { readonly kind: 'started' | 'start-failed' | 'wait-over' | 'answer' | 'pass-over' }
  | { readonly kind: 'exit'; readonly reason: 'target-closed' | 'source-ended' | 'stalled' }
  | { readonly kind: 'poll'; readonly poll: Partial<Poll> }
  | { readonly kind: 'event'; readonly event: KeeperEvent }

const event = (of: KeeperEvent): Step => ({ kind: 'event', event: of })
const poll = (of: Partial<Poll>): Step => ({ kind: 'poll', poll: of })

const going = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Step>({ kind: 'started' }, { kind: 'wait-over' }, { kind: 'answer' }, poll({})),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      { kind: 'start-failed' },
      { kind: 'pass-over' },
      { kind: 'exit', reason: 'target-closed' },
      { kind: 'exit', reason: 'source-ended' },
      poll({ verdict: 'stalled' }),
      poll({ verdict: 'stalled', unsentBytes: 9_000 }),
      poll({ verdict: 'lagging' }),
      poll({ verdict: 'quiet' }),
    ),
  },
  { weight: 1, arbitrary: fc.nat(30_000_000).map((outTimeMs) => poll({ outTimeMs })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      event({ type: 'end-asked' }),
      event({ type: 'swap-asked' }),
      event({ type: 'source-check-due', check: 'return' }),
      event({ type: 'source-check-due', check: 'growth' }),
    ),
  },
)
const STOP = event({ type: 'stop-asked', cause: null })
const HALT = event({ type: 'halt' })

const worlds = fc.record({
  isRelay: fc.boolean(),
  looping: fc.boolean(),
  isRecorded: fc.boolean(),
  keepsOnExit: fc.boolean(),
  /** Whether a start can be given up: its process begins late. */
  beginsLate: fc.boolean(),
  sessionLimitMs: fc.constantFrom(null, 3_600_000),
  answers: fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }),
})
type WorldSettings = typeof worlds extends fc.Arbitrary<infer T> ? T : never

/** Carries decisions out as the keeper does, with processes that only exist here, and looks on with a keeper's eye. */
function createWorld({ answers, beginsLate, ...settings }: WorldSettings) {
  let state = NEW_KEEPER
  let nowMs = 1_000_000
  let starting: number | null = null
  let running: { readonly session: number; isAskedToEnd: boolean } | null = null
  let isWaiting = false
  let awaited: number | null = null
  let hasLeft = false
  let isGivenUp = false
  let asked: Effect[] = []
  let answered = 0
  const timeline: string[] = []
  const facts: string[] = []

  const carryOut = (effect: Effect): void => {
    if (effect.type === 'start') {
      expect(starting, 'never two at once').toBeNull()
      expect(running, 'never two at once').toBeNull()
      starting = effect.session
    }
    if (effect.type === 'save') {
      timeline.push(...effect.news.flatMap((event) => ('kind' in event ? [event.kind] : [])))
      facts.push(...effect.news.flatMap((event) => ('fact' in event ? [event.fact] : [])))
    }
    if (effect.type === 'wait') isWaiting = true
    if (effect.type === 'await-pass') awaited = effect.session
    if (effect.type === 'leave') hasLeft = true
    if (/^(stop|give-up-start)$/.test(effect.type) && starting !== null && beginsLate) {
      starting = null
      isGivenUp = true
    }
    if ((effect.type === 'stop' || effect.type === 'kill') && running) running.isAskedToEnd = true
    if (/^(judge|check)-/.test(effect.type)) asked.push(effect)
  }

  function tell(event: KeeperEvent): void {
    if (hasLeft) return
    nowMs += 500
    const now: Surroundings = { nowMs, steadyMs: nowMs, clockStepMs: 0, random: 0.5, ...settings }
    const before = state
    const { state: after, effects } = nextState(before, event, now)
    state = after
    expect(after.onAirMs).toBeGreaterThanOrEqual(before.onAirMs)
    expect(after.restarts).toBeGreaterThanOrEqual(before.restarts)
    // Written down before it is done.
    const firstDeed = effects.findIndex(({ type }) => ['start', 'stop', 'wait', 'leave'].includes(type))
    if (firstDeed >= 0) expect(effects.slice(0, firstDeed).map(({ type }) => type)).toContain('save')
    if (after.stream !== before.stream) expect(effects.map(({ type }) => type)).toContain('save')
    for (const effect of effects) carryOut(effect)
    expect(after.session?.number ?? null).toBe(running?.session ?? null)
    if (!isGivenUp) return
    isGivenUp = false
    tell({ type: 'start-given-up' })
  }

  function answer(): void {
    const [question] = asked
    if (!question) return
    asked = asked.slice(1)
    const pick = answers[answered++ % answers.length] ?? 0
    if (question.type === 'judge-lag') tell({ type: 'lag-judged', session: question.session, endsIt: pick % 2 === 0 })
    if (question.type === 'judge-end') tell({ type: 'end-judged', cause: null })
    if (question.type === 'judge-swap') {
      const wanted = pick === 0 ? null : { clip: clipOf(`video-${pick}`), follows: pick % 2 === 0 }
      tell({ type: 'swap-judged', after: question.clip, wanted })
    }
    if (question.type === 'check-source') {
      tell({ type: 'source-checked', session: question.session, needsNewSession: pick % 2 === 0 })
    }
  }

  function exit(reason: 'target-closed' | 'source-ended' | 'stalled'): void {
    if (!running) return
    const { session } = running
    running = null
    tell({ type: 'exited', session, reason })
  }

  function started(): void {
    if (starting === null) return
    running = { session: starting, isAskedToEnd: false }
    const clip = state.nextClip ?? clipOf(state.videoId ?? 'video-0')
    const begun = { clip, item: 0, place: null, fromMs: 0, onFallback: false, note: null }
    const session = { number: starting, pid: 100 + starting, birth: 'b', ...begun }
    starting = null
    tell({ type: 'started', session })
  }

  return {
    state: () => state,
    timeline,
    facts,
    isQuiet: () => hasLeft || (starting === null && running === null),
    wasLeft: () => hasLeft,
    begin(): void {
      tell({ type: 'taken-over', session: null })
      tell({ type: 'claimed' })
    },
    take(step: Step): void {
      if (step.kind === 'event') tell(step.event)
      else if (step.kind === 'started') started()
      else if (step.kind === 'answer') answer()
      else if (step.kind === 'exit') exit(step.reason)
      else if (step.kind === 'poll' && running) {
        // What was asked for plays by now; one that is unlike never does in this session.
        const reads = state.nextClip && !state.needsNewSession ? { clip: state.nextClip, place: null } : null
        tell({ type: 'polled', session: running.session, poll: { ...POLL, ...step.poll, reads } })
      } else if (step.kind === 'start-failed' && starting !== null) {
        starting = null
        tell({ type: 'start-failed', reason: 'name-not-found' })
      } else if (step.kind === 'pass-over' && awaited !== null) {
        tell({ type: 'pass-over', session: awaited })
        awaited = null
      } else if (step.kind === 'wait-over' && isWaiting) {
        isWaiting = false
        tell({ type: 'wait-over' })
      }
    },
    /** Whatever is under way comes to its end, as processes do that are asked to. */
    settle(): void {
      for (let turn = 0; turn < 5; turn++) {
        started()
        if (running?.isAskedToEnd) exit('target-closed')
      }
    },
    /** A world in which everything succeeds. */
    cooperate(): void {
      for (const step of [{ kind: 'wait-over' }, { kind: 'started' }, poll({})] as const) this.take(step)
      if (running?.isAskedToEnd) exit('target-closed')
    },
  }
}

const histories = fc.tuple(worlds, fc.array(going, { maxLength: 120, size: 'max' }))

describe('whatever happens to a broadcast', () => {
  it('there is one process at most, each state is written before it is acted on, and news of old sessions changes nothing', () => {
    fc.assert(
      fc.property(histories, ([settings, steps]) => {
        const world = createWorld(settings)
        world.begin()
        for (const step of steps) world.take(step)
        world.take(event({ type: 'exited', session: 0, reason: 'target-closed' }))
        world.take(event({ type: 'polled', session: 0, poll: POLL }))
        expect(world.timeline.filter((kind) => kind === 'live').length).toBeLessThanOrEqual(1)
        // Who reads the outbox sees every way off air and every way back.
        const turns = world.facts.filter((fact) => /interrupted|recovered/.test(fact))
        for (const [index, fact] of turns.entries()) {
          expect(fact).toBe(index % 2 === 0 ? 'stream.interrupted' : 'stream.recovered')
        }
      }),
    )
  })

  it('a Stop ends it, also while it is being started, and no process stays', () => {
    fc.assert(
      fc.property(histories, ([settings, steps]) => {
        const world = createWorld(settings)
        world.begin()
        for (const step of steps) world.take(step)
        world.take(STOP)
        world.settle()
        expect(world.state().stream.at).toBe('ended')
        expect(world.isQuiet()).toBe(true)
      }),
    )
  })

  it('the end of the program leaves it on air where it may, and otherwise leaves no process', () => {
    fc.assert(
      fc.property(histories, ([settings, steps]) => {
        const world = createWorld(settings)
        world.begin()
        for (const step of steps) world.take(step)
        const { stream, session } = world.state()
        world.take(HALT)
        world.settle()
        expect(world.isQuiet()).toBe(true)
        if (settings.keepsOnExit && session && stream.at !== 'stopping') expect(world.wasLeft()).toBe(true)
        if (!world.wasLeft()) expect(['queued', 'ended']).toContain(world.state().stream.at)
      }),
    )
  })

  it('one that its target took is on air again as soon as the world lets it', () => {
    fc.assert(
      fc.property(histories, ([settings, steps]) => {
        const world = createWorld({ ...settings, looping: true })
        world.begin()
        world.cooperate()
        for (const step of steps) world.take(step)
        for (let turn = 0; turn < 6; turn++) world.cooperate()
        expect(world.state().stream.at).toBe('live')
      }),
    )
  })
})
