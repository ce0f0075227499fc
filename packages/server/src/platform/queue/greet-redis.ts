import type { Secret } from '@siarin/media/secret'
import { Redis } from 'ioredis'
import { BootError } from '../../errors.ts'

const ANSWER_MS = 3_000
/** What it says to a wrong password, a user without rights, and the number of a database that it does not have. */
const REFUSALS = /^(WRONGPASS|NOAUTH|NOPERM|ERR (invalid password|DB index))/

/** Ends the boot where Redis says no. One that is only away is no reason: broadcasts go on without it. */
export async function greetRedis(redisUrl: Secret): Promise<void> {
  const redis = new Redis(redisUrl.reveal(), {
    ...{ lazyConnect: true, connectTimeout: ANSWER_MS, commandTimeout: ANSWER_MS },
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  })
  const heard: string[] = []
  redis.on('error', ({ message }) => void heard.push(message))
  try {
    await redis.ping()
  } catch (error) {
    heard.push((error as Error).message)
  } finally {
    redis.disconnect()
  }
  const refusal = heard.find((message) => REFUSALS.test(message))
  if (refusal) throw new BootError([`REDIS_URL: Redis refuses us (${refusal.slice(0, 200)})`])
}
