import { createBoundedMap } from '../../../platform/bounded-map.ts'

/** In all, and of one account: in between, others have eight. */
const BETWEEN_ENDS_MS = 20_000
const BETWEEN_OWN_ENDS_MS = 9 * BETWEEN_ENDS_MS
/** More than have had one since. */
const MOST_OWNERS = 100

/**
 * Many streams that lag at once lag for the machine's sake: only one of them is ended in a while. One account whose targets take their bytes
 * too slowly would have every one of these ends, so it has to leave some to others.
 */
export function createLagEnds(now: () => number = () => performance.now()) {
  const endedAt = createBoundedMap<number>(MOST_OWNERS)
  let lastAt = Number.NEGATIVE_INFINITY
  /** Whether a stream of this account that lags is to be ended. */
  return (owner: string): boolean => {
    const at = now()
    const ownAt = endedAt.get(owner) ?? Number.NEGATIVE_INFINITY
    if (at - lastAt <= BETWEEN_ENDS_MS || at - ownAt <= BETWEEN_OWN_ENDS_MS) return false
    lastAt = at
    endedAt.set(owner, at)
    return true
  }
}
