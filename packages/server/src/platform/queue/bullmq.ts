import { setTimeout as sleep } from 'node:timers/promises'
import type { Secret } from '@siarin/media/secret'
import { Queue as BullQueue, DelayedError, type Job, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { Log } from '../log.ts'
import { createHeldLocks } from './held-locks.ts'
import { countEach, type JobHandler, type JobKind, type Queue, RETRY_DELAY_MS } from './queue.ts'

interface BullMqOptions {
  redisUrl: Secret
  log: Log
  /** How long a dead worker's job stays its own before another worker takes it. */
  lockMs?: number
  retryDelayMs?: number
  prefix?: string
}

interface JobData {
  readonly id: string
}

const CLOSE_MS = 10_000
const ANSWER_MS = 3_000

/** With a number of its own for each form of a job: what an earlier version left there is not taken up beside what the rows ask for. */
const PREFIX = 'siarin-2'

/** Of a lock's life the part in which its holder may still act; the rest is for ending a process before anyone else starts one. */
const SAFE_PART = 0.6

const tooLate = async (message: string): Promise<never> => {
  await sleep(ANSWER_MS + 1_000, undefined, { ref: false })
  throw new Error(message)
}

/** Many machines: locks, stall detection and hand-over are BullMQ's. */
export function createBullMqQueue({
  redisUrl,
  log,
  lockMs = 30_000,
  retryDelayMs = RETRY_DELAY_MS,
  prefix = PREFIX,
}: BullMqOptions): Queue {
  // Callers do not wait for a Redis that is away; workers do (null, as BullMQ demands).
  const callerConnection = new Redis(redisUrl.reveal(), { maxRetriesPerRequest: 1, commandTimeout: ANSWER_MS })
  const workerConnection = new Redis(redisUrl.reveal(), { maxRetriesPerRequest: null })
  const complain = (error: Error) => log.warn({ err: error.message }, 'queue connection')
  callerConnection.on('error', complain)
  workerConnection.on('error', complain)

  const queues = new Map<JobKind, BullQueue>()
  const workers: Worker[] = []
  const closing = new AbortController()

  function queueOf(kind: JobKind): BullQueue {
    const known = queues.get(kind)
    if (known) return known
    const queue = new BullQueue(kind, { connection: callerConnection, prefix })
    queue.on('error', complain)
    queues.set(kind, queue)
    // One that could not greet Redis refuses everything for ever, also when Redis is back: the next caller gets another.
    queue.waitUntilReady().catch(() => {
      if (queues.get(kind) === queue) queues.delete(kind)
    })
    return queue
  }

  async function add(kind: JobKind, id: string): Promise<void> {
    // Not by a number of our own: BullMQ drops a job whose number another one has that runs. This way it keeps it until that has ended.
    const deduplication = { id, keepLastIfActive: true }
    const data: JobData = { id }
    const adding = queueOf(kind).add(kind, data, { deduplication, removeOnComplete: true, removeOnFail: true })
    // A connection that was never made keeps what it is told, without a limit of time.
    const added = Promise.race([adding, tooLate('Redis does not answer')])
    // Whoever asked has been written down: when Redis is back, the refill finds the row without a job.
    await added.catch((error) => log.warn({ err: error.message, kind, id }, 'a job waits until Redis is back'))
  }

  async function hasJob(kind: JobKind, id: string): Promise<boolean> {
    const queue = queueOf(kind)
    const number = await queue.getDeduplicationJobId(id)
    return number !== null && (await queue.getJobState(number)) !== 'unknown'
  }

  function startWorker(kind: JobKind, concurrency: number, handler: JobHandler): void {
    /** By the number that BullMQ has given the job. */
    const locks = createHeldLocks(lockMs * SAFE_PART)

    async function run(job: Job<JobData>, token: string | undefined): Promise<void> {
      const { id } = job.data
      const number = job.id ?? ''
      const lost = locks.hold(number)
      try {
        const outcome = await handler(id, { signal: AbortSignal.any([lost, closing.signal]) })
        if (outcome === 'done') return
      } catch (error) {
        log.error({ err: error, kind, id }, 'job failed, it is tried again')
      } finally {
        locks.release(number)
      }
      await job
        .moveToDelayed(Date.now() + (closing.signal.aborted ? 0 : retryDelayMs), token)
        // Another one has it by now, or Redis knows nothing of it any more: the same to us, somebody has to.
        .catch(() => add(kind, id))
      throw new DelayedError()
    }

    const worker = new Worker(kind, run, {
      connection: workerConnection,
      prefix,
      concurrency,
      lockDuration: lockMs,
      lockRenewTime: lockMs / 3,
      stalledInterval: lockMs / 2,
      // A stream may outlive any number of machines.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    })
    worker.on('error', complain)
    worker.on('locksRenewed', ({ jobIds }) => locks.renewed(jobIds))
    worker.on('lockRenewalFailed', (jobIds) => locks.lost(jobIds))
    const guard = setInterval(locks.judge, lockMs / 30)
    closing.signal.addEventListener('abort', () => clearInterval(guard), { once: true })
    workers.push(worker)
  }

  return {
    add,
    async missing(kind, ids) {
      const has = await Promise.all(ids.map((id) => hasJob(kind, id)))
      return ids.filter((_, index) => !has[index])
    },
    work: startWorker,
    async ping() {
      await callerConnection.ping()
    },
    counts: () =>
      countEach(async (kind) => {
        const {
          waiting = 0,
          delayed = 0,
          active = 0,
        } = await queueOf(kind).getJobCounts('waiting', 'delayed', 'active')
        return { waiting: waiting + delayed, active }
      }),
    async close() {
      closing.abort()
      // Redis may be away: what it was to be told, it finds out when the locks lapse.
      const told = (async () => {
        await Promise.all(workers.map((worker) => worker.close()))
        await Promise.all([...queues.values()].map((queue) => queue.close()))
      })().catch(complain)
      await Promise.race([told, sleep(CLOSE_MS, undefined, { ref: false })])
      callerConnection.disconnect()
      workerConnection.disconnect()
    },
  }
}
