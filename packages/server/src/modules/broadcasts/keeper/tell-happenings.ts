import type { StreamReasonCode } from '@siarin/contracts/stream-reason-texts'
import type { StreamState } from '@siarin/media/stream-state'
import type { StreamHappening } from '../store/streams.repo.ts'

const HALTED: StreamReasonCode = 'halted'

/** What a change of state means for the person who reads the timeline; a retry of many is no news. */
export function tellHappenings(
  before: StreamState,
  after: StreamState,
  { nowMs }: { nowMs: number },
): StreamHappening[] {
  const told = (kind: StreamHappening['kind'], more: Partial<StreamHappening> = {}): StreamHappening[] => [
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
