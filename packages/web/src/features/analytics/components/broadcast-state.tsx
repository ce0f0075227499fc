import type { StreamRowData } from '../../broadcasts/api/active-streams.ts'
import { AwaitsVideoBadge, StreamState } from '../../broadcasts/stream-state.tsx'
import { broadcastPhase } from '../state-words.ts'

interface BroadcastStateProps {
  broadcastId: string
  active: readonly StreamRowData[] | undefined
}

/** In the words of the Live screen and the header; nothing until it is known. */
export function BroadcastState({ broadcastId, active = [] }: BroadcastStateProps) {
  const phase = broadcastPhase(active, broadcastId)
  if (phase === null) return null
  return phase === 'awaits-video' ? <AwaitsVideoBadge /> : <StreamState phase={phase} />
}
