import type { StreamState } from '@siarin/media/stream-state'
import { describe, expect, it } from 'vitest'
import { eventsOfTransition } from './events-of-transition.ts'

const tries = { failures: 1, accepted: true, offAirSinceMs: 5, firstLiveMs: 1, reconnects: 0 }
const live: StreamState = { at: 'live', sinceMs: 7, ...tries }

describe('the timeline', () => {
  it.each<[string, StreamState, StreamState, object]>([
    [
      'a loss',
      live,
      { at: 'waiting', untilMs: 9, reason: 'timed-out', ...tries },
      { kind: 'lost', reason: 'timed-out' },
    ],
    ['a restart of ours', live, { at: 'queued', ...tries }, { kind: 'lost', reason: 'halted' }],
    [
      'an end by somebody else',
      { at: 'stopping', afterwards: 'ended', ...tries },
      { at: 'ended', reason: 'stopped', cause: 'operator' },
      { kind: 'ended', reason: 'operator' },
    ],
    [
      "its owner's end",
      { at: 'stopping', afterwards: 'ended', ...tries },
      { at: 'ended', reason: 'stopped', cause: null },
      { kind: 'ended', reason: null },
    ],
  ])('tells %s by its code', (_what, before, after, told) => {
    const timeline = eventsOfTransition(before, after, { nowMs: 10 }).filter((event) => 'kind' in event)
    expect(timeline).toEqual([{ at: 10, offAirMs: null, ...told }])
  })
})
