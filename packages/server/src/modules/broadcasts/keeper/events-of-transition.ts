import type { StreamReasonCode } from '@siarin/contracts/stream-reason-texts'
import type { StreamState } from '@siarin/media/stream-state'
import { factsOfTransition } from '../store/facts-of-transition.ts'
import type { RecordedEvent, TimelineEvent } from '../store/recorded-events.ts'

const HALTED: StreamReasonCode = 'halted'

/** What a change of state means: for the person who reads the timeline, and for the programs that read the outbox. */
export function eventsOfTransition(
  before: StreamState,
  after: StreamState,
  now: { nowMs: number; knownReason?: string | null },
): RecordedEvent[] {
  return [...timelineOf(before, after, now), ...factsOfTransition(before, after, now.nowMs, now.knownReason)]
}

/** A retry of many is no news. */
function timelineOf(before: StreamState, after: StreamState, { nowMs }: { nowMs: number }): TimelineEvent[] {
  const told = (kind: TimelineEvent['kind'], more: Partial<TimelineEvent> = {}): TimelineEvent[] => [
    { at: nowMs, kind, reason: null, offAirMs: null, ...more },
  ]
  if (after.at === before.at) return []
  if (after.at === 'live') {
    if (before.at === 'ended' || !before.accepted) return told('live')
    return told('back', { offAirMs: before.offAirSinceMs === null ? null : nowMs - before.offAirSinceMs })
  }
  if (before.at === 'live' && after.at === 'waiting') return told('lost', { reason: after.reason })
  if (after.at === 'stopping' && after.afterwards === 'queued' && before.at === 'live')
    return told('lost', { reason: HALTED })
  // Its process was gone when the program came back.
  if (before.at === 'live' && after.at === 'queued') return told('lost', { reason: HALTED })
  if (after.at === 'stopping' && after.afterwards === 'ended') return told('stop-asked')
  if (after.at === 'ended') return told('ended', { reason: after.cause })
  return []
}
