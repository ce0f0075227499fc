/** Does the work once there is a place for it. Who gives up while waiting is refused with the signal's reason, and keeps no place. */
type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** So many works at once; the others wait, first come first served. */
export function createTurns(atOnce: number): InTurn {
  const waiting = new Set<() => void>()
  let running = 0

  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const come = () => {
        waiting.delete(come)
        resolve()
      }
      waiting.add(come)
      signal?.addEventListener('abort', () => {
        waiting.delete(come)
        reject(signal.reason)
      })
    })

  return async (work, signal) => {
    signal?.throwIfAborted()
    if (running < atOnce) running++
    else await turn(signal)
    try {
      return await work()
    } finally {
      // The place is handed over, so that nobody who comes meanwhile takes it.
      const [next] = waiting
      if (next) next()
      else running--
    }
  }
}
