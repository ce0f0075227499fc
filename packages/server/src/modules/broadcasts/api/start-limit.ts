import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import { DomainError } from '../../../errors.ts'
import type { Counters } from '../../../platform/counters.ts'

/**
 * Far more than anybody begins who wants to be seen: what was begun leaves rows, events and facts that stay for long. Each target counts, since
 * each is a stream. Schedules do not: an account has few of them.
 */
export const START_LIMIT = { targets: 1_000, windowMs: 3_600_000 } as const

export type WithinStarts = <T>(userId: string, targets: number, begin: () => Promise<T>) => Promise<T>

/** Only what was begun counts: a caller whose starts are refused leaves nothing, and may go on trying. */
export const createStartLimit =
  ({ counters }: { readonly counters: Counters }): WithinStarts =>
  async (userId, targets, begin) => {
    const key = `starts:${userId}`
    const { count, leftMs } = await counters.add(key, START_LIMIT.windowMs, targets)
    try {
      if (count > START_LIMIT.targets) throw tooManyStarts(Math.max(1, Math.ceil(leftMs / 1000)))
      return await begin()
    } catch (error) {
      await counters.takeBack(key, targets)
      throw error
    }
  }

const tooManyStarts = (retryAfterSeconds: number): DomainError =>
  new DomainError('rate_limited', BROADCAST_TEXTS.tooManyStarts(retryAfterSeconds), { retryAfterSeconds })
