import type { Log } from '../log.ts'
import type { JobKind, Queue } from './queue.ts'

/**
 * The rows are the truth, the queue is not: a Redis that was restarted without its data, or that was away at the wrong moment, has
 * forgotten jobs. To be called again and again with what should have one and that nobody is at. What has none twice in a row gets
 * one: the first time it may just be on its way.
 */
export function createRefill({ queue, kind, log }: { queue: Pick<Queue, 'missing' | 'add'>; kind: JobKind; log: Log }) {
  let suspected = new Set<string>()
  return async (ids: readonly string[]): Promise<void> => {
    const lost = new Set(await queue.missing(kind, ids))
    for (const id of lost) {
      if (!suspected.has(id)) continue
      log.warn({ kind, id }, 'a job had got lost, it is back in the queue')
      await queue.add(kind, id)
    }
    suspected = lost
  }
}
