import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import type { StreamIncident } from '@siarin/contracts/streams'
import { describe, expect, it } from 'vitest'
import { toIncident } from './stream-views.ts'

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
