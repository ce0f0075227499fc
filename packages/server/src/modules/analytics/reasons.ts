import type { MonthlyReport } from '@siarin/contracts/analytics'
import type { ToldSpan } from './lives.reads.ts'
import { reasonWords } from './views.ts'

interface Edges {
  readonly fromMs: number
  readonly toMs: number
}

const seconds = (ms: number): number => Math.round(ms / 1000)

/** Why broadcasts were off air within some time, the most frequent first. They count as `summarize` does, and come to what it says in all. */
export function reasonsOf(spans: readonly ToldSpan[], { fromMs, toMs }: Edges, now: number): MonthlyReport['reasons'] {
  const incidents = spans.filter(({ isRun }) => !isRun)
  const reasons = [...Map.groupBy(incidents, ({ reason }) => reason ?? 'unknown')].map(([reasonCode, group]) => ({
    reasonCode,
    reason: reasonWords(reasonCode),
    count: group.filter(({ beganAt }) => beganAt >= fromMs && beganAt < toMs).length,
    lastedMs: group.reduce(
      (sum, { beganAt, endedAt }) => sum + Math.max(0, Math.min(endedAt ?? now, toMs) - Math.max(beganAt, fromMs)),
      0,
    ),
  }))
  let passedMs = 0
  return reasons
    .sort((one, other) => other.count - one.count)
    .map(({ lastedMs, ...reason }) => {
      // What is rounded is where each ends in the sum, so that all of them together are the rounded sum.
      const begin = seconds(passedMs)
      passedMs += lastedMs
      return { ...reason, seconds: seconds(passedMs) - begin }
    })
}
