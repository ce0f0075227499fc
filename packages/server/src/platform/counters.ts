export interface Count {
  readonly count: number
  /** Until it begins anew. */
  readonly leftMs: number
}

/** Counts that begin anew after a while: a window begins with the first of its counts. */
export interface Counters {
  /** Counts one more, or so many, and answers how many there are with it. */
  add(key: string, windowMs: number, by?: number): Promise<Count>
  read(key: string): Promise<Count>
  /** Takes one back, or so many, which turned out to be none. */
  takeBack(key: string, by?: number): Promise<void>
}

const NONE: Count = { count: 0, leftMs: 0 }
/** The most of each kind; above this the oldest go: a flood of addresses must not take the memory. */
const MOST_KEYS = 50_000

interface Window {
  count: number
  readonly endsAt: number
}

/**
 * In the memory of this program, by a clock that every call can afford: while the machine sleeps, a window stands still. A key is 'kind:whose': each kind has room of its own, so that nobody pushes the count of wrong passwords
 * out by a flood of something else.
 */
export function createLocalCounters(now: () => number = () => performance.now(), mostKeys = MOST_KEYS): Counters {
  const kinds = new Map<string, Map<string, Window>>()

  function countsLike(key: string): Map<string, Window> {
    const kind = key.split(':', 1)[0] ?? ''
    const known = kinds.get(kind)
    if (known) return known
    const counts = new Map<string, Window>()
    kinds.set(kind, counts)
    return counts
  }

  function find(key: string): Window | null {
    const known = countsLike(key).get(key)
    return known && known.endsAt > now() ? known : null
  }

  /** The windows of a kind are alike, so the first to begin is the first to be over: never more than these are looked at. */
  function makeRoom(counts: Map<string, Window>, at: number): void {
    for (const [key, { endsAt }] of counts) {
      if (endsAt > at && counts.size < mostKeys) return
      counts.delete(key)
    }
  }

  return {
    async add(key, windowMs, by = 1) {
      const known = find(key)
      if (known) {
        known.count += by
        return { count: known.count, leftMs: known.endsAt - now() }
      }
      const counts = countsLike(key)
      const at = now()
      counts.delete(key)
      makeRoom(counts, at)
      counts.set(key, { count: by, endsAt: at + windowMs })
      return { count: by, leftMs: windowMs }
    },
    async read(key) {
      const known = find(key)
      return known ? { count: known.count, leftMs: known.endsAt - now() } : NONE
    },
    async takeBack(key, by = 1) {
      const known = find(key)
      if (known) known.count = Math.max(0, known.count - by)
    },
  }
}
