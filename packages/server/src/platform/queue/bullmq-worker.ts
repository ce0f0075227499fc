import { DelayedError, type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Log } from '../log.ts'
import { createHeldLocks } from './held-locks.ts'
import type { JobHandler, JobKind } from './queue.ts'

export interface JobData {
  readonly id: string
}

interface BullWorker {
  readonly kind: JobKind
  readonly concurrency: number
  readonly handler: JobHandler
  readonly connection: Redis
  readonly prefix: string
  readonly lockMs: number
  readonly retryDelayMs: number
  /** Aborted when the queue closes. */
  readonly closing: AbortSignal
  readonly addAgain: (id: string) => Promise<void>
  readonly complain: (error: Error) => void
  readonly log: Log
}

/** The part of a lock's life in which its holder may still act; the rest is for ending a process before anyone else starts one. */
const SAFE_PART = 0.6

export function startBullWorker(options: BullWorker): Worker {
  const { kind, concurrency, handler, connection, prefix, lockMs, retryDelayMs, closing, complain, log } = options
  /** By the number that BullMQ has given the job. */
  const locks = createHeldLocks(lockMs * SAFE_PART)

  async function run(job: Job<JobData>, token: string | undefined): Promise<void> {
    const { id } = job.data
    const number = job.id ?? ''
    const lost = locks.hold(number)
    try {
      const outcome = await handler(id, { signal: AbortSignal.any([lost, closing]) })
      if (outcome === 'done') return
    } catch (error) {
      log.error({ err: error, kind, id }, 'job failed, it is tried again')
    } finally {
      locks.release(number)
    }
    await job
      .moveToDelayed(Date.now() + (closing.aborted ? 0 : retryDelayMs), token)
      // Another one has it by now, or Redis knows nothing of it any more: the same to us, somebody has to.
      .catch(() => options.addAgain(id))
    throw new DelayedError()
  }

  const worker = new Worker(kind, run, {
    connection,
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
  closing.addEventListener('abort', () => clearInterval(guard), { once: true })
  return worker
}
