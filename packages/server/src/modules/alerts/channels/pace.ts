import { setTimeout as sleep } from 'node:timers/promises'
import { steadyMs } from '../../../platform/clock.ts'

interface PaceRules {
  /** How many in a second to all together. */
  readonly perSecond: number
  /** A turn that is further away is not waited for. */
  readonly longestWaitMs: number
}

export interface Pace {
  /**
   * Waits for the next turn at `key`, `gapMs` after the one before. Answers 0 once it has come, else in how many milliseconds it would:
   * then no turn was taken.
   */
  turn(key: string, gapMs: number, signal: AbortSignal): Promise<number>
  /** The other side asked for a pause. */
  hold(key: string, forMs: number): void
}

/** More keys than these are under way only in one second: what is past is forgotten. */
const KEYS_KEPT = 2_000

/** Not faster than the other side allows, in this program. Several programs may be faster together: then the other side says so. */
export function createPace({ perSecond, longestWaitMs }: PaceRules, now: () => number = steadyMs): Pace {
  const free = new Map<string, number>()
  let allFree = 0

  function forgetPast(at: number): void {
    if (free.size < KEYS_KEPT) return
    for (const [key, from] of free) if (from <= at) free.delete(key)
  }

  return {
    async turn(key, gapMs, signal) {
      const at = now()
      const turn = Math.max(at, allFree, free.get(key) ?? 0)
      const waitMs = Math.ceil(turn - at)
      if (waitMs > longestWaitMs) return waitMs
      forgetPast(at)
      allFree = Math.max(at, allFree) + 1000 / perSecond
      free.set(key, turn + gapMs)
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {})
      return 0
    },
    hold(key, forMs) {
      forgetPast(now())
      free.set(key, Math.max(free.get(key) ?? 0, now() + forMs))
    },
  }
}
