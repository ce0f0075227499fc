import type { StreamState } from '@siarin/media/stream-state'
import type { StreamFact } from '../../../platform/outbox/facts.ts'

/** The program ended or died, and its broadcast with it. */
const PROGRAM_RESTARTED = 'program-restarted'
/** Another video, a source that is back, or a limit of the platform needs a new session. */
const SESSION_RENEWED = 'session-renewed'

/**
 * What a change of state means to the programs that read the outbox. Unlike the timeline it leaves out no way off air, so that
 * each `interrupted` is followed by one `recovered` or by the end. `knownReason`: why it is off air, as far as that was told already.
 */
export function factsOfTransition(
  before: StreamState,
  after: StreamState,
  nowMs: number,
  knownReason: string | null = null,
): StreamFact[] {
  if (before.at === 'ended' || after.at === before.at) return []
  if (after.at === 'ended') {
    const { reason, cause } = after
    if (reason === 'failed') return [{ at: nowMs, fact: 'stream.failed', payload: { cause } }]
    return [{ at: nowMs, fact: 'stream.ended', payload: { reason, cause } }]
  }
  if (after.at === 'live') {
    if (!before.accepted) return [{ at: nowMs, fact: 'stream.live', payload: {} }]
    const offAirMs = before.offAirSinceMs === null ? null : nowMs - before.offAirSinceMs
    return [{ at: nowMs, fact: 'stream.recovered', payload: { offAirMs } }]
  }
  if (before.at !== 'live') return stillOff(before, after, nowMs, knownReason)
  if (isLastStop(after)) return []
  return [{ at: nowMs, fact: 'stream.interrupted', payload: interruption(after) }]
}

/** It does not come back from there: the end is the fact to tell. */
const isLastStop = (state: StreamState): boolean => state.at === 'stopping' && state.afterwards === 'ended'

/** A retry of many is no news; another reason is: a key that was refused asks for something else than a server that is away. */
function stillOff(before: StreamState, after: StreamState, at: number, knownReason: string | null): StreamFact[] {
  if (before.at === 'ended' || !before.accepted || after.at !== 'waiting' || after.reason === knownReason) return []
  return [{ at, fact: 'stream.still-off', payload: { reason: after.reason } }]
}

function interruption(after: StreamState): { reason: string; planned: boolean } {
  if (after.at === 'waiting') return { reason: after.reason, planned: false }
  const planned = after.at === 'stopping' && after.afterwards === 'starting'
  return { reason: planned ? SESSION_RENEWED : PROGRAM_RESTARTED, planned }
}
