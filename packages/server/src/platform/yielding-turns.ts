import { createFairTurns } from './fair-turns.ts'

interface YieldingTurns {
  /** In each of the two lanes. */
  readonly atOnce: number
  /** Counts works that begin. One that gave way is never sent away. */
  readonly mostWaiting: number
  readonly mostWaitingEach: number
  readonly givesWay: GivesWay
}

/** How long a work keeps its place while others wait, at first and at most, and how often it is seen whether they do. */
interface GivesWay {
  readonly afterMs: number
  readonly atMostAfterMs: number
  readonly lookEveryMs: number
}

interface How {
  /** Is not sent away, however many wait. */
  readonly always?: boolean
  /** Nobody wants it any more. */
  readonly signal?: AbortSignal | undefined
}

/** `work` ends when its signal says so, and may begin again. */
type InYieldingTurn = <T>(owner: string, work: (signal: AbortSignal) => Promise<T>, how?: How) => Promise<T>

/**
 * The owners take turns. Nobody knows beforehand which work takes long, so each begins in the quick lane. One that has had its place for a while
 * gives way as soon as others wait. It begins again in the long lane, where only its like wait for it, and each time it has twice the time.
 */
export function createYieldingTurns({ atOnce, givesWay, ...waiting }: YieldingTurns): InYieldingTurn {
  const inQuickTurn = createFairTurns({ atOnce, ...waiting })
  const inLongTurn = createFairTurns({ atOnce, mostWaiting: Infinity, mostWaitingEach: Infinity })

  return async (owner, work, { signal: gone, always = false } = {}) => {
    const { atMostAfterMs, lookEveryMs } = givesWay
    for (let afterMs = givesWay.afterMs; ; afterMs = Math.min(2 * afterMs, atMostAfterMs)) {
      const way = new AbortController()
      const signal = gone ? AbortSignal.any([gone, way.signal]) : way.signal
      const inTurn = afterMs > givesWay.afterMs ? inLongTurn : inQuickTurn
      const bounds = { afterMs, lookEveryMs }
      try {
        return await inTurn(owner, (isWaitedFor) => untilWaitedFor(work(signal), way, isWaitedFor, bounds), {
          always,
          signal: gone,
        })
      } catch (error) {
        if (gone?.aborted || !way.signal.aborted) throw error
      }
    }
  }
}

/** The place is free as soon as the work is told to end: what it waits for may take its time. */
async function untilWaitedFor<T>(
  work: Promise<T>,
  way: AbortController,
  isWaitedFor: () => boolean,
  { afterMs, lookEveryMs }: { afterMs: number; lookEveryMs: number },
): Promise<T> {
  const { promise: gaveWay, reject } = Promise.withResolvers<never>()
  const look = (): void => {
    if (!isWaitedFor()) {
      timer = setTimeout(look, lookEveryMs)
      return
    }
    way.abort(new Error('others wait for its place'))
    reject(way.signal.reason)
  }
  let timer = setTimeout(look, afterMs)
  try {
    return await Promise.race([work, gaveWay])
  } finally {
    clearTimeout(timer)
  }
}
