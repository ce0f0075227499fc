import { steadyMs } from './clock.ts'

export interface Count {
  readonly count: number
  /** Until it begins anew. */
  readonly leftMs: number
}

/** Counts that begin anew after a while: a window begins with the first of its counts. */
export interface Counters {
  /** Counts one more, and answers how many there are with it. */
  add(key: string, windowMs: number): Promise<Count>
  read(key: string): Promise<Count>
  /** Takes one back, which turned out to be none. */
  takeBack(key: string): Promise<void>
}

const NONE: Count = { count: 0, leftMs: 0 }
/** Above this the counts that are over are cleared away, and then the oldest: a flood of addresses must not take the memory. */
const MOST_KEYS = 50_000

/** In the memory of this program. */
export function createLocalCounters(now: () => number = steadyMs, mostKeys = MOST_KEYS): Counters {
  const counts = new Map<string, { count: number; endsAt: number }>()

  function find(key: string): { count: number; endsAt: number } | null {
    const known = counts.get(key)
    return known && known.endsAt > now() ? known : null
  }

  function makeRoom(): void {
    if (counts.size < mostKeys) return
    for (const [key, { endsAt }] of counts) if (endsAt <= now()) counts.delete(key)
    for (const key of counts.keys()) {
      if (counts.size < mostKeys) return
      counts.delete(key)
    }
  }

  return {
    async add(key, windowMs) {
      const known = find(key)
      if (known) {
        known.count++
        return { count: known.count, leftMs: known.endsAt - now() }
      }
      makeRoom()
      counts.delete(key)
      counts.set(key, { count: 1, endsAt: now() + windowMs })
      return { count: 1, leftMs: windowMs }
    },
    async read(key) {
      const known = find(key)
      return known ? { count: known.count, leftMs: known.endsAt - now() } : NONE
    },
    async takeBack(key) {
      const known = find(key)
      if (known && known.count > 0) known.count--
    },
  }
}
