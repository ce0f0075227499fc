import type { KeeperState } from './keeper-state.ts'

/** Why it is not on air, which is no less true while it is being tried again; null while all is well. */
export function shownReason({ stream, lastReason }: Pick<KeeperState, 'stream' | 'lastReason'>): string | null {
  if (stream.at === 'waiting') return stream.reason
  if (stream.at === 'ended') return stream.cause
  return stream.at === 'starting' && stream.failures > 0 ? lastReason : null
}
