import type { Log } from '../log.ts'
import { type JobHandler, type JobKind, type JobOutcome, type Queue, RETRY_DELAY_MS } from './queue.ts'

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
  const closing = new AbortController()

  const of = <T>(map: Map<JobKind, T>, kind: JobKind, make: () => T): T => {
    const found = map.get(kind) ?? make()
    map.set(kind, found)
    return found
  }
  const knownIds = (kind: JobKind) => of(known, kind, () => new Set())
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
      const job = attempt(kind, id, worker.handler).then((outcome) => {
        jobs.delete(job)
        if (outcome === 'done') knownIds(kind).delete(id)
        else later(kind, id)
        pump(kind)
      })
      jobs.add(job)
    }
  }

  return {
    async add(kind, id) {
      if (knownIds(kind).has(id)) return
      knownIds(kind).add(id)
      waitingIds(kind).push(id)
      pump(kind)
    },
    work(kind, concurrency, handler) {
      workers.set(kind, { concurrency, handler })
      pump(kind)
    },
    async ping() {},
    async close() {
      closing.abort()
      await Promise.all([...running.values()].flatMap((jobs) => [...jobs]))
    },
  }
}
