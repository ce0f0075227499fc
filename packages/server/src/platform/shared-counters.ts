import type { Secret } from '@siarin/media/secret'
import { Redis } from 'ioredis'
import { steadyMs } from './clock.ts'
import { type Count, type Counters, createLocalCounters } from './counters.ts'
import type { Log } from './log.ts'

/** A call is worth more than its being counted: it does not wait for a Redis that does not answer. */
const ANSWER_MS = 500
/** One that did not answer is let alone for so long, or each call would wait for it. */
const PAUSE_MS = 2_000
const PREFIX = 'siarin:counts:'

const ADD = `local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`
const READ = `return { tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1]) }`
const TAKE_BACK = `local count = tonumber(redis.call('GET', KEYS[1]) or 0)
if count > 0 then redis.call('DECRBY', KEYS[1], math.min(count, ARGV[1])) end
return { 0, 0 }`

export interface SharedCounters extends Counters {
  close(): void
}

/**
 * Where several programs answer the same people, their calls are counted together. Each counts in its own memory too: while Redis is away
 * that is what counts, instead of nothing.
 */
export function openSharedCounters(redisUrl: Secret, log: Log): SharedCounters {
  const redis = new Redis(redisUrl.reveal(), { maxRetriesPerRequest: 1, commandTimeout: ANSWER_MS })
  redis.on('error', (error) => log.warn({ err: error.message }, 'counter connection'))
  const local = createLocalCounters()
  let askAgainAt = 0

  async function ask(script: string, key: string, ...args: number[]): Promise<Count | null> {
    if (steadyMs() < askAgainAt) return null
    try {
      const [count, leftMs] = (await redis.eval(script, 1, PREFIX + key, ...args)) as [number, number]
      return { count, leftMs: Math.max(0, leftMs) }
    } catch {
      askAgainAt = steadyMs() + PAUSE_MS
      return null
    }
  }

  return {
    async add(key, windowMs, by = 1) {
      const own = await local.add(key, windowMs, by)
      return (await ask(ADD, key, windowMs, by)) ?? own
    },
    async read(key) {
      return (await ask(READ, key)) ?? local.read(key)
    },
    async takeBack(key, by = 1) {
      await local.takeBack(key, by)
      await ask(TAKE_BACK, key, by)
    },
    close: () => redis.disconnect(),
  }
}
