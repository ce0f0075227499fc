import { steadyMs } from '../clock.ts'

/**
 * The jobs that a worker holds, and until when it may act on each. The deadline is one of the steady time: a clock that is set forward takes
 * no broadcast off air, and one that is set back lets nobody act on a lock that another worker has by now.
 */
export function createHeldLocks(safeMs: number, now: () => number = steadyMs) {
  const held = new Map<string, { lost: AbortController; safeUntil: number }>()
  return {
    /** The signal is aborted once the lock may be another worker's. */
    hold(id: string): AbortSignal {
      const lost = new AbortController()
      held.set(id, { lost, safeUntil: now() + safeMs })
      return lost.signal
    },
    release: (id: string): void => void held.delete(id),
    renewed(ids: readonly string[]): void {
      for (const id of ids) {
        const lock = held.get(id)
        if (lock) lock.safeUntil = now() + safeMs
      }
    },
    lost(ids: readonly string[]): void {
      for (const id of ids) held.get(id)?.lost.abort()
    },
    /** To be called again and again: Redis may be out of reach, then nobody tells us, and the lock lapses all the same. */
    judge(): void {
      for (const { lost, safeUntil } of held.values()) if (now() > safeUntil) lost.abort()
    },
  }
}
