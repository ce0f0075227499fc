import { describe, expect, it } from 'vitest'
import {
  type Circumstances,
  HEALTHY_AFTER_MS,
  initialState,
  MAX_FIRST_TRIES,
  nextPhase,
  readState,
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

const run = (events: readonly StreamEvent[], from: StreamState = initialState, nowMs = 0): StreamState =>
  events.reduce((state, event) => nextPhase(state, event, at(nowMs)), from)

const exitedFor = (reason: string): StreamEvent => ({ type: 'exited', reason, sourceEnded: false })

/** How long a target that never takes it is waited for, between the first try and the one after which it is given up. */
function patienceMs(reason: string, random: number): { waitedMs: number; tries: number } {
  let state = run([{ type: 'claimed' }])
  let nowMs = 0
  for (let tries = 1; ; tries++) {
    state = nextPhase(state, exitedFor(reason), at(nowMs, { random }))
    if (state.at !== 'waiting') return { waitedMs: nowMs, tries }
    nowMs = state.untilMs
    state = nextPhase(state, { type: 'wait-over' }, at(nowMs))
  }
}

const live = run([{ type: 'claimed' }, { type: 'moving' }])

describe('a stream that a worker takes', () => {
  it('starts, and is live only when its output moves', () => {
    const starting = run([{ type: 'claimed' }])
    expect(starting.at).toBe('starting')
    expect(nextPhase(starting, { type: 'moving' }, at(5))).toMatchObject({ at: 'live', sinceMs: 5, accepted: true })
  })

  it('that was live when its worker died starts anew once it is claimed', () => {
    expect(run([{ type: 'process-missing' }, { type: 'claimed' }], live)).toMatchObject({
      at: 'starting',
      accepted: true,
    })
  })

  it('whose process still runs goes on with it, whatever had been written last', () => {
    const waiting = nextPhase(live, exited, at(0))
    const halting = nextPhase(live, { type: 'halt' }, at(0))
    for (const state of [initialState, waiting, halting]) {
      const found = nextPhase(state, { type: 'process-found' }, at(0))
      expect(found.at).toBe('starting')
      expect(nextPhase(found, { type: 'moving' }, at(5)).at).toBe('live')
    }
    expect(nextPhase(live, { type: 'process-found' }, at(0))).toBe(live)
  })

  it('whose process still runs although a stop was asked goes on being stopped', () => {
    const stopping = nextPhase(live, { type: 'stop-asked' }, at(0))
    expect(nextPhase(stopping, { type: 'process-found' }, at(0))).toBe(stopping)
    expect(nextPhase(stopping, exited, at(0))).toMatchObject({ at: 'ended', reason: 'stopped' })
  })

  it('that was being stopped when its worker died is ended, not started', () => {
    const stopping = nextPhase(live, { type: 'stop-asked' }, at(0))
    expect(run([{ type: 'process-missing' }, { type: 'claimed' }], stopping)).toMatchObject({
      at: 'ended',
      reason: 'stopped',
    })
  })
})

describe('a stream whose ffmpeg exits', () => {
  it('waits a moment, then tries again', () => {
    const waiting = nextPhase(live, exited, at(1_000))
    expect(waiting).toMatchObject({ at: 'waiting', untilMs: 1_300, reason: 'target-closed' })
    expect(nextPhase(waiting, { type: 'wait-over' }, at(1_300)).at).toBe('starting')
  })

  it('comes back within two seconds however often it was killed while live', () => {
    let state = live
    for (let kill = 0; kill < 20; kill++) {
      state = nextPhase(state, exited, at(kill * 5_000))
      expect(state.at === 'waiting' && state.untilMs - kill * 5_000).toBeLessThanOrEqual(2_000)
      state = run([{ type: 'wait-over' }, { type: 'moving' }], state, kill * 5_000)
    }
    expect(state.at).toBe('live')
  })

  it('starts counting anew after a minute of health', () => {
    const back = run([exited, { type: 'wait-over' }, { type: 'moving' }], live)
    expect(back).toMatchObject({ at: 'live', failures: 1 })
    expect(nextPhase(back, { type: 'moving' }, at(HEALTHY_AFTER_MS - 1))).toMatchObject({ failures: 1 })
    expect(nextPhase(back, { type: 'moving' }, at(HEALTHY_AFTER_MS))).toMatchObject({ failures: 0 })
  })

  it('is given up after five tries when the target never took it, with the reason', () => {
    let state = run([{ type: 'claimed' }])
    for (let tries = 1; tries < MAX_FIRST_TRIES; tries++) state = run([exited, { type: 'wait-over' }], state)
    expect(state.at).toBe('starting')
    expect(nextPhase(state, exited, at(0))).toEqual({ at: 'ended', reason: 'failed', cause: 'target-closed' })
  })

  it('is told soon that its key is refused, and survives two minutes in which nobody answers', () => {
    for (const random of [0, 0.5, 1]) {
      for (const reason of ['target-refused', 'target-closed', 'target-forbidden', 'unknown']) {
        const { waitedMs, tries } = patienceMs(reason, random)
        expect(tries).toBe(MAX_FIRST_TRIES)
        expect(waitedMs).toBeLessThanOrEqual(15_000)
      }
      const unanswered = ['name-not-found', 'target-unreachable', 'tls-failed', 'timed-out', 'stalled']
      for (const reason of [...unanswered, 'store-away', 'server-trouble', 'out-of-capacity', 'playlist-unplayable']) {
        const { waitedMs, tries } = patienceMs(reason, random)
        expect(tries).toBe(MAX_FIRST_TRIES)
        expect(waitedMs).toBeGreaterThanOrEqual(120_000)
        expect(waitedMs).toBeLessThanOrEqual(180_000)
      }
    }
  })

  it('comes back soon to a target that took it once, whatever keeps it away', () => {
    const gone = nextPhase(live, exitedFor('target-unreachable'), at(0))
    const tried = run([{ type: 'wait-over' }, exitedFor('target-unreachable')], gone, 1_000)
    expect(tried.at === 'waiting' && tried.untilMs - 1_000).toBeLessThanOrEqual(5_000)
  })

  it('is never given up once the target took it', () => {
    let state = live
    for (let tries = 0; tries < 1_000; tries++) state = run([exited, { type: 'wait-over' }], state, tries * 60_000)
    expect(state.at).toBe('starting')
  })

  it('is finished when its source ended and it does not loop', () => {
    const ended: StreamEvent = { type: 'exited', reason: 'source-ended', sourceEnded: true }
    expect(nextPhase(live, ended, at(0, { looping: false }))).toMatchObject({ at: 'ended', reason: 'finished' })
    expect(nextPhase(live, ended, at(0, { looping: true })).at).toBe('waiting')
  })
})

describe('the time since a stream was first on air', () => {
  it('goes on through outages, which are counted, and through the end of the program', () => {
    const first = run([{ type: 'claimed' }, { type: 'moving' }], initialState, 5_000)
    expect(first).toMatchObject({ firstLiveMs: 5_000, reconnects: 0 })
    const back = run([exited, { type: 'wait-over' }, exited, { type: 'wait-over' }, { type: 'moving' }], first, 9_000)
    expect(back).toMatchObject({ at: 'live', sinceMs: 9_000, firstLiveMs: 5_000, reconnects: 1 })
    const later: StreamEvent[] = [{ type: 'process-missing' }, { type: 'claimed' }, { type: 'moving' }]
    expect(run(later, back, 20_000)).toMatchObject({ sinceMs: 20_000, firstLiveMs: 5_000, reconnects: 2 })
  })

  it('begins with the first bytes that the target took, not with the first try', () => {
    const tried = run([{ type: 'claimed' }, exited, { type: 'wait-over' }])
    expect(tried).toMatchObject({ firstLiveMs: null, reconnects: 0 })
    expect(nextPhase(tried, { type: 'moving' }, at(3_000))).toMatchObject({ firstLiveMs: 3_000, reconnects: 0 })
  })

  it('is not known of a state that an earlier version wrote, but for one that is on air', () => {
    const tries = { failures: 0, accepted: true, offAirSinceMs: null }
    const read = (state: object) => readState(JSON.stringify(state))
    expect(read({ at: 'live', sinceMs: 7, ...tries })).toMatchObject({ sinceMs: 7, firstLiveMs: 7, reconnects: 0 })
    expect(read({ at: 'starting', ...tries })).toMatchObject({ firstLiveMs: null, reconnects: 0 })
    expect(read(live)).toEqual(live)
    expect(read({ at: 'ended', reason: 'stopped', cause: null })).toEqual({
      at: 'ended',
      reason: 'stopped',
      cause: null,
    })
  })
})

describe('a restart that is wanted', () => {
  it('starts again as soon as the process is gone, without a wait and without counting a failure', () => {
    const stopping = nextPhase(live, { type: 'restart-asked' }, at(0))
    expect(stopping).toMatchObject({ at: 'stopping', afterwards: 'starting' })
    expect(nextPhase(stopping, exited, at(0))).toMatchObject({ at: 'starting', failures: 0, accepted: true })
  })

  it('gives way to a stop and to the end of the program', () => {
    expect(run([{ type: 'restart-asked' }, { type: 'stop-asked' }, exited], live)).toMatchObject({ at: 'ended' })
    expect(run([{ type: 'restart-asked' }, { type: 'halt' }, exited], live)).toMatchObject({ at: 'queued' })
  })

  it('changes nothing while none runs', () => {
    const waiting = nextPhase(live, exited, at(0))
    expect(nextPhase(waiting, { type: 'restart-asked' }, at(0))).toBe(waiting)
  })
})

describe('a stop that is asked for', () => {
  it('ends a stream without a process at once, and says why where it is not its owner who asks', () => {
    expect(run([{ type: 'stop-asked' }])).toEqual({ at: 'ended', reason: 'stopped', cause: null })
    expect(run([{ type: 'stop-asked', cause: 'operator' }])).toEqual({
      at: 'ended',
      reason: 'stopped',
      cause: 'operator',
    })
  })

  it('waits for the process, keeps its cause meanwhile, and is not overtaken by another', () => {
    const stopping = run([{ type: 'claimed' }, { type: 'stop-asked', cause: 'plan-ended' }])
    expect(stopping).toMatchObject({ at: 'stopping', afterwards: 'ended', cause: 'plan-ended' })
    expect(run([{ type: 'stop-asked', cause: 'operator' }, exited], stopping)).toMatchObject({
      at: 'ended',
      cause: 'plan-ended',
    })
    const own = run([{ type: 'claimed' }, { type: 'stop-asked', cause: null }])
    expect(own).not.toHaveProperty('cause')
    expect(run([exited], own)).toEqual({ at: 'ended', reason: 'stopped', cause: null })
  })
})

describe('the end of the program', () => {
  it('lets the stream go back into the queue once its process is gone', () => {
    const stopping = nextPhase(live, { type: 'halt' }, at(0))
    expect(stopping).toMatchObject({ at: 'stopping', afterwards: 'queued' })
    expect(nextPhase(stopping, exited, at(0))).toMatchObject({ at: 'queued', accepted: true })
  })

  it('does not undo a stop that is under way', () => {
    expect(run([{ type: 'stop-asked' }, { type: 'halt' }, exited], live)).toMatchObject({ at: 'ended' })
    expect(run([{ type: 'halt' }, { type: 'stop-asked' }, exited], live)).toMatchObject({ at: 'ended' })
  })
})

describe('a clock that somebody sets', () => {
  const HOUR = 3_600_000

  it('changes no duration: how long it is live, when it tries again, how long it is off air', () => {
    for (const byMs of [HOUR, -HOUR]) {
      const stepped: StreamEvent = { type: 'clock-stepped', byMs }
      expect(nextPhase(live, stepped, at(byMs))).toMatchObject({ at: 'live', sinceMs: byMs, firstLiveMs: byMs })
      const waiting = nextPhase(live, exited, at(0))
      expect(nextPhase(waiting, stepped, at(byMs))).toMatchObject({ untilMs: 300 + byMs, offAirSinceMs: byMs })
    }
  })

  it('in an outage lets nobody wait longer', () => {
    const waiting = nextPhase(live, exited, at(0))
    const later = [{ type: 'clock-stepped', byMs: HOUR }, { type: 'wait-over' }, exited] satisfies StreamEvent[]
    const state = run(later, waiting, HOUR + 1_000)
    expect(state.at === 'waiting' && state.untilMs - (HOUR + 1_000)).toBeLessThanOrEqual(5_000)
  })
})

describe('a broadcast that is over', () => {
  const live = nextPhase(run([{ type: 'claimed' }]), { type: 'moving' }, at(5_000))

  it('still says when it was first on air', () => {
    const stopping = nextPhase(live, { type: 'stop-asked' }, at(9_000))
    expect(nextPhase(stopping, exited, at(9_500))).toEqual({
      at: 'ended',
      reason: 'stopped',
      cause: null,
      firstLiveMs: 5_000,
    })
  })

  it('says nothing of it where it never was', () => {
    expect(run([{ type: 'claimed' }, exited, { type: 'stop-asked' }])).not.toHaveProperty('firstLiveMs')
  })
})
