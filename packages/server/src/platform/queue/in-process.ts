import type { Log } from '../log.ts'
import { asProgram } from '../on-behalf-of.ts'
import {
  countEach,
  type JobCounts,
  type JobHandler,
  type JobKind,
  type JobOutcome,
  type Queue,
  RETRY_DELAY_MS,
} from './queue.ts'

interface Worker {
  readonly concurrency: number
  readonly handler: JobHandler
}

interface LaneDeps {
  readonly log: Log
  readonly retryDelayMs: number
  /** Aborted when the queue closes. */
  readonly closing: AbortSignal
}

type Lane = ReturnType<typeof createLane>

/** One machine needs no Redis: the rows are refilled into this queue at boot. */
export function createInProcessQueue({
  log,
  retryDelayMs = RETRY_DELAY_MS,
}: {
  log: Log
  retryDelayMs?: number
}): Queue {
  const lanes = new Map<JobKind, Lane>()
  const closing = new AbortController()

  function laneOf(kind: JobKind): Lane {
    const lane = lanes.get(kind) ?? createLane(kind, { log, retryDelayMs, closing: closing.signal })
    lanes.set(kind, lane)
    return lane
  }

  return {
    async add(kind, id) {
      // A job outlives the call that asked for it.
      asProgram(() => laneOf(kind).add(id))
    },
    missing: async (kind, ids) => ids.filter((id) => !laneOf(kind).has(id)),
    work(kind, concurrency, handler) {
      laneOf(kind).work({ concurrency, handler })
    },
    async ping() {},
    counts: () => countEach(async (kind) => laneOf(kind).counts()),
    async close() {
      closing.abort()
      await Promise.all([...lanes.values()].flatMap((lane) => [...lane.running]))
    },
  }
}

/** The jobs of one kind. */
function createLane(kind: JobKind, { log, retryDelayMs, closing }: LaneDeps) {
  const waiting: string[] = []
  const known = new Set<string>()
  const active = new Set<string>()
  /** Added while they run: what they were added for may have come too late for the run that is ending. */
  const onceMore = new Set<string>()
  const running = new Set<Promise<void>>()
  let worker: Worker | null = null

  async function attempt(id: string, handler: JobHandler): Promise<JobOutcome> {
    try {
      return await handler(id, { signal: closing })
    } catch (error) {
      log.error({ err: error, kind, id }, 'job failed, it is tried again')
      return 'again'
    }
  }

  function later(id: string): void {
    const timer = setTimeout(() => {
      closing.removeEventListener('abort', cancel)
      waiting.push(id)
      pump()
    }, retryDelayMs)
    const cancel = () => clearTimeout(timer)
    closing.addEventListener('abort', cancel, { once: true })
  }

  function pump(): void {
    while (worker && !closing.aborted && running.size < worker.concurrency) {
      const id = waiting.shift()
      if (id === undefined) return
      active.add(id)
      const job = attempt(id, worker.handler).then((outcome) => {
        running.delete(job)
        active.delete(id)
        const wanted = onceMore.delete(id)
        if (outcome === 'again') later(id)
        else if (wanted) waiting.push(id)
        else known.delete(id)
        pump()
      })
      running.add(job)
    }
  }

  return {
    running: running as ReadonlySet<Promise<void>>,
    has: (id: string): boolean => known.has(id),
    add(id: string): void {
      if (active.has(id)) onceMore.add(id)
      if (known.has(id)) return
      known.add(id)
      waiting.push(id)
      pump()
    },
    work(next: Worker): void {
      worker = next
      pump()
    },
    counts: (): JobCounts => ({ waiting: known.size - active.size, active: active.size }),
  }
}
