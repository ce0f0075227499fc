import type { StreamPhase } from '@siarin/contracts/streams'
import type { StreamRowData } from '../broadcasts/api/active-streams.ts'
import { shownPhase } from '../broadcasts/stream-words.ts'

/** The state of a broadcast: one target that reconnects is what its owner has to know. */
export function broadcastPhase(
  streams: readonly StreamRowData[],
  broadcastId: string,
): StreamPhase | 'awaits-video' | null {
  const own = streams.filter((stream) => stream.broadcastId === broadcastId)
  if (own.some(({ preparation }) => preparation)) return 'awaits-video'
  const phases = own.flatMap((stream) => shownPhase(stream) ?? [])
  return (['waiting', 'live'] as const).find((phase) => phases.includes(phase)) ?? phases[0] ?? null
}

/** What a card of live figures says where it has no health to tell of. */
export function offAirPhase(
  { streamId, state }: { streamId: string; state: StreamPhase },
  streams: readonly StreamRowData[],
): StreamPhase {
  const active = streams.find((stream) => stream.streamId === streamId)
  const known = active && shownPhase(active)
  // The figures are pushed, and tell of an interruption earlier than the list, which is asked for.
  return known && known !== 'live' ? known : state
}
