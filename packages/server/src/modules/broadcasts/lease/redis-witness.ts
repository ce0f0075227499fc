import { randomUUID } from 'node:crypto'
import type { Secret } from '@siarin/media/secret'
import { Redis } from 'ioredis'
import type { Log } from '../../../platform/log.ts'

/** A second place at which workers say that they live, so that a database which is away takes nobody off air and moves nobody. */
export interface Witness {
  /** Throws where it cannot be reached. */
  beat(worker: string, shown: string): Promise<void>
  /** What is shown of each worker. All of it changes when the witness may have forgotten something. */
  readBeats(): Promise<(worker: string) => string>
  forget(worker: string): Promise<void>
  close(): void
}

const ANSWER_MS = 1_500
const RECONNECT_MS = 500
const BEATS = 'siarin:worker-beats'
const ERA = 'siarin:worker-era'

/**
 * An empty answer means that nothing was written, or that it was lost: by FLUSHALL, then the era is gone too, or by a start from an older
 * file, then it is another run.
 */
const READ_BEATS = `if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('SET', KEYS[2], ARGV[1]) end
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
return { run, redis.call('GET', KEYS[2]), redis.call('HGETALL', KEYS[1]) }`

export function openRedisWitness(redisUrl: Secret, log: Log): Witness {
  const redis = new Redis(redisUrl.reveal(), {
    commandTimeout: ANSWER_MS,
    connectTimeout: ANSWER_MS,
    // What is late is worth nothing: nothing waits for a connection, and nothing is said again on the next one.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
  })
  redis.on('error', (error) => log.debug({ err: error.message }, 'witness connection'))
  return {
    async beat(worker, shown) {
      await redis.hset(BEATS, worker, shown)
    },
    async readBeats() {
      const [run, era, pairs] = (await redis.eval(READ_BEATS, 2, BEATS, ERA, randomUUID())) as [
        string,
        string,
        string[],
      ]
      const beats = new Map<string, string>()
      for (let index = 0; index < pairs.length; index += 2) beats.set(pairs[index] ?? '', pairs[index + 1] ?? '')
      return (worker) => `${run}:${era}:${beats.get(worker) ?? ''}`
    },
    async forget(worker) {
      await redis.hdel(BEATS, worker)
    },
    close: () => redis.disconnect(),
  }
}
