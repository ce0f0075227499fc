import type { Log } from '../log.ts'
import { countEach, type JobHandler, type JobKind, type JobOutcome, type Queue, RETRY_DELAY_MS } from './queue.ts'

interface Worker {
  readonly concurrency: number
  readonly handler: JobHandler
}

/** One machine needs no Redis: the rows are refilled into this queue at boot. */
export function createInProcessQueue({
  log,
  retryDelayMs = RETRY_DELAY_MS,
}: {
  log: Log
  retryDelayMs?: number
}): Queue {
  const waiting = new Map<JobKind, string[]>()
  const known = new Map<JobKind, Set<string>>()
  const workers = new Map<JobKind, Worker>()
  const running = new Map<JobKind, Set<Promise<void>>>()
  /** Added while they run: what they were added for may have come too late for the run that is ending. */
  const onceMore = new Map<JobKind, Set<string>>()
  const active = new Map<JobKind, Set<string>>()
  const closing = new AbortController()

  const of = <T>(map: Map<JobKind, T>, kind: JobKind, make: () => T): T => {
    const found = map.get(kind) ?? make()
    map.set(kind, found)
    return found
  }
  const idsOf = (map: Map<JobKind, Set<string>>, kind: JobKind) => of(map, kind, () => new Set())
  const knownIds = (kind: JobKind) => idsOf(known, kind)
  const waitingIds = (kind: JobKind) => of(waiting, kind, () => [])
  const runningJobs = (kind: JobKind) => of(running, kind, () => new Set())

  async function attempt(kind: JobKind, id: string, handler: JobHandler): Promise<JobOutcome> {
    try {
      return await handler(id, { signal: closing.signal })
    } catch (error) {
      log.error({ err: error, kind, id }, 'job failed, it is tried again')
      return 'again'
    }
  }

  function later(kind: JobKind, id: string): void {
    const timer = setTimeout(() => {
      closing.signal.removeEventListener('abort', cancel)
      waitingIds(kind).push(id)
      pump(kind)
    }, retryDelayMs)
    const cancel = () => clearTimeout(timer)
    closing.signal.addEventListener('abort', cancel, { once: true })
  }

  function pump(kind: JobKind): void {
    const worker = workers.get(kind)
    const jobs = runningJobs(kind)
    while (worker && !closing.signal.aborted && jobs.size < worker.concurrency) {
      const id = waitingIds(kind).shift()
      if (id === undefined) return
      idsOf(active, kind).add(id)
      const job = attempt(kind, id, worker.handler).then((outcome) => {
        jobs.delete(job)
        idsOf(active, kind).delete(id)
        const wanted = idsOf(onceMore, kind).delete(id)
        if (outcome === 'again') later(kind, id)
        else if (wanted) waitingIds(kind).push(id)
        else knownIds(kind).delete(id)
        pump(kind)
      })
      jobs.add(job)
    }
  }

  return {
    async add(kind, id) {
      if (idsOf(active, kind).has(id)) idsOf(onceMore, kind).add(id)
      if (knownIds(kind).has(id)) return
      knownIds(kind).add(id)
      waitingIds(kind).push(id)
      pump(kind)
    },
    missing: async (kind, ids) => ids.filter((id) => !knownIds(kind).has(id)),
    work(kind, concurrency, handler) {
      workers.set(kind, { concurrency, handler })
      pump(kind)
    },
    async ping() {},
    counts: () =>
      countEach(async (kind) => {
        const busy = idsOf(active, kind).size
        return { waiting: knownIds(kind).size - busy, active: busy }
      }),
    async close() {
      closing.abort()
      await Promise.all([...running.values()].flatMap((jobs) => [...jobs]))
    },
  }
}
