import { setTimeout as sleep } from 'node:timers/promises'
import type { Secret } from '@siarin/media/secret'
import { Queue as BullQueue, type Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { Log } from '../log.ts'
import { type JobData, startBullWorker } from './bullmq-worker.ts'
import { countEach, type JobKind, type Queue, RETRY_DELAY_MS } from './queue.ts'

interface BullMqOptions {
  redisUrl: Secret
  log: Log
  /** How long a dead worker's job stays its own before another worker takes it. */
  lockMs?: number
  retryDelayMs?: number
  prefix?: string
}

const CLOSE_MS = 10_000
const ANSWER_MS = 3_000

/** With a number of its own for each form of a job: what an earlier version left there is not taken up beside what the rows ask for. */
const PREFIX = 'siarin-2'

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

  const queues = createQueues(callerConnection, prefix, complain)
  const workers: Worker[] = []
  const closing = new AbortController()

  async function add(kind: JobKind, id: string): Promise<void> {
    // Not by a number of our own: BullMQ drops a job whose number another one has that runs. This way it keeps it until that has ended.
    const deduplication = { id, keepLastIfActive: true }
    const data: JobData = { id }
    const adding = queues.of(kind).add(kind, data, { deduplication, removeOnComplete: true, removeOnFail: true })
    // A connection that was never made keeps what it is told, without a limit of time.
    const added = Promise.race([adding, tooLate('Redis does not answer')])
    // What is asked for stands in a row: when Redis is back, the refill finds the row without a job.
    await added.catch((error) => log.warn({ err: error.message, kind, id }, 'a job waits until Redis is back'))
  }

  async function hasJob(kind: JobKind, id: string): Promise<boolean> {
    const queue = queues.of(kind)
    const number = await queue.getDeduplicationJobId(id)
    return number !== null && (await queue.getJobState(number)) !== 'unknown'
  }

  return {
    add,
    async missing(kind, ids) {
      const has = await Promise.all(ids.map((id) => hasJob(kind, id)))
      return ids.filter((_, index) => !has[index])
    },
    work(kind, concurrency, handler) {
      const addAgain = (id: string) => add(kind, id)
      const order = { kind, concurrency, handler, prefix, lockMs, retryDelayMs, addAgain, complain, log }
      workers.push(startBullWorker({ ...order, connection: workerConnection, closing: closing.signal }))
    },
    async ping() {
      await callerConnection.ping()
    },
    counts: () =>
      countEach(async (kind) => {
        const {
          waiting = 0,
          delayed = 0,
          active = 0,
        } = await queues.of(kind).getJobCounts('waiting', 'delayed', 'active')
        return { waiting: waiting + delayed, active }
      }),
    async close() {
      closing.abort()
      // Redis may be away: what it was to be told, it finds out when the locks lapse.
      const told = (async () => {
        await Promise.all(workers.map((worker) => worker.close()))
        await queues.close()
      })().catch(complain)
      await Promise.race([told, sleep(CLOSE_MS, undefined, { ref: false })])
      callerConnection.disconnect()
      workerConnection.disconnect()
    },
  }
}

/** One queue per kind of work, made when it is first asked for. */
function createQueues(connection: Redis, prefix: string, complain: (error: Error) => void) {
  const queues = new Map<JobKind, BullQueue>()
  return {
    of(kind: JobKind): BullQueue {
      const known = queues.get(kind)
      if (known) return known
      const queue = new BullQueue(kind, { connection, prefix })
      queue.on('error', complain)
      queues.set(kind, queue)
      // One that could not greet Redis refuses everything for ever, also when Redis is back: the next caller gets another.
      queue.waitUntilReady().catch(() => {
        if (queues.get(kind) === queue) queues.delete(kind)
      })
      return queue
    },
    async close(): Promise<void> {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}
