import type { Secret } from '@siarin/media/secret'
import { Redis } from 'ioredis'
import type { Log } from './log.ts'

/** A call is worth more than its being counted: it does not wait for a Redis that does not answer. */
const ANSWER_MS = 500

/** Where several programs answer the same people, their calls are counted together. */
export function openSharedCounters(redisUrl: Secret, log: Log): Redis {
  const redis = new Redis(redisUrl.reveal(), { maxRetriesPerRequest: 1, commandTimeout: ANSWER_MS })
  redis.on('error', (error) => log.warn({ err: error.message }, 'counter connection'))
  return redis
}
