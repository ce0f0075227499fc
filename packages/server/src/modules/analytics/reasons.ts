import type { MonthlyReport } from '@siarin/contracts/analytics'
import type { ReasonShare } from './summarize.ts'
import { reasonWords } from './views.ts'

const seconds = (ms: number): number => Math.round(ms / 1000)

/** Why broadcasts were off air within some time, the most frequent first. They come to what the summary says in all. */
export function reasonsOf(shares: ReadonlyMap<string, ReasonShare>): MonthlyReport['reasons'] {
  let passedMs = 0
  return [...shares]
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([reasonCode, { count, lastedMs }]) => {
      // What is rounded is where each ends in the sum, so that all of them together are the rounded sum.
      const begin = seconds(passedMs)
      passedMs += lastedMs
      return { reasonCode, reason: reasonWords(reasonCode), count, seconds: seconds(passedMs) - begin }
    })
}
