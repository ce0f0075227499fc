import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import type { StreamIncident } from '@siarin/contracts/streams'
import { describe, expect, it } from 'vitest'
import type { NamedStreamRow } from '../store/streams.repo.ts'
import { toEndedStream, toIncident } from './stream-views.ts'

const incident = (kind: StreamIncident['kind'], reason: string | null) =>
  toIncident({ id: 'e', stream_id: 's', at: 0, kind, reason, off_air_ms: null }).reason

describe('what the timeline shows beside an event', () => {
  it('is the sentence of its code', () => {
    expect(incident('lost', 'killed')).toBe(STREAM_REASON_TEXTS.killed)
    expect(incident('renewed', 'session-renewed')).toBe(STREAM_REASON_TEXTS['session-renewed'])
    expect(incident('ended', null)).toBeNull()
  })

  it.each(['swapped', 'fallback', 'source-back'] as const)(
    'is the name of a video, whatever it is called: %s',
    (kind) => {
      expect(incident(kind, 'killed')).toBe('killed')
    },
  )
})

describe('how much of its time a broadcast was on air', () => {
  const percentOf = (state: object) => {
    const row = { created_at: 0, ended_at: 300_000, on_air_ms: 90_000, state: JSON.stringify(state), reason: null }
    return toEndedStream(row as NamedStreamRow, () => 'klip.mp4').onAirPercent
  }

  it('counts from when it was first on air: waiting for its video is no outage', () => {
    expect(percentOf({ at: 'ended', reason: 'stopped', cause: null, firstLiveMs: 200_000 })).toBe(90)
  })

  it('counts from its start where an earlier version did not write that down', () => {
    expect(percentOf({ at: 'ended', reason: 'stopped', cause: null })).toBe(30)
  })
})
