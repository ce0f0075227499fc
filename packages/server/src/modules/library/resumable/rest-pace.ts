import { createBoundedMap } from '../../../platform/bounded-map.ts'
import { steadyMs } from '../../../platform/clock.ts'

/**
 * A line that breaks every two seconds, and brings 100 kB each time, moves 1.7 MB a second: nobody who sends honestly waits for this.
 * Several machines have a pace each.
 */
const BOUNDS = { bytesPerSecond: 2_000_000, atOnceBytes: 64_000_000 }
/** So many bytes may be moved again for each that comes: pieces of a megabyte, one after the other, never wait. */
export const MOVED_FOR_EACH = 8
const MOST_REMEMBERED = 10_000

/**
 * How fast each owner may have bytes moved that came before. Counts more of them, or fewer for what has come, and returns how long to wait before
 * more are moved.
 */
export function createRestPace({ bytesPerSecond, atOnceBytes } = BOUNDS, now: () => number = steadyMs) {
  const owners = createBoundedMap<{ readonly leftBytes: number; readonly atMs: number }>(MOST_REMEMBERED)
  return (owner: string, bytes: number): number => {
    const atMs = now()
    const before = owners.get(owner) ?? { leftBytes: atOnceBytes, atMs }
    const earned = ((atMs - before.atMs) / 1000) * bytesPerSecond
    const leftBytes = Math.min(atOnceBytes, Math.min(atOnceBytes, before.leftBytes + earned) - bytes)
    owners.set(owner, { leftBytes, atMs })
    return Math.max(0, (-leftBytes / bytesPerSecond) * 1000)
  }
}
