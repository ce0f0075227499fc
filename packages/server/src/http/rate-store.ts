import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Counters } from '../platform/counters.ts'

declare module 'fastify' {
  interface FastifyInstance {
    counters: Counters
  }
}

/** The plugin's limits on counters of ours, which go on when Redis is away. */
export function rateStoreOn(counters: Counters): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
    ) {
      counters.add(key, windowMs).then(({ count, leftMs }) => callback(null, { current: count, ttl: leftMs }), callback)
    }

    child(): FastifyRateLimitStore {
      return this
    }
  }
}
