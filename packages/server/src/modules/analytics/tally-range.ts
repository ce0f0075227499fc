import { INCIDENTS_MAX } from '@siarin/contracts/analytics'
import type { Clock } from '../../platform/clock.ts'
import type { Range } from './access.ts'
import type { LivesReads } from './lives.reads.ts'
import { SPAN_COUNTED } from './span-sums.ts'
import { createTally } from './summarize.ts'
import type { SumsReads } from './sums.repo.ts'
import type { ListedStream, ToldSpan } from './told-lives.ts'

interface RangeTallyDeps {
  readonly reads: LivesReads
  readonly sums: SumsReads
  readonly clock: Clock
}

export type Edges = Pick<Range, 'days' | 'fromMs' | 'toMs'>

/**
 * All that a range comes to: sums, and what is in none of them. Everything is read in pages. `recent`: the newest incidents of those that are
 * in no sum. `onAir`: how long each broadcast was on air in its whole life, in milliseconds.
 */
export function createRangeTally({ reads, sums, clock }: RangeTallyDeps) {
  return async (workspaceId: string, { days, fromMs, toMs }: Edges) => {
    const now = clock.now()
    const tally = createTally(days, now)
    const recent = createNewest(INCIDENTS_MAX + 1)
    const onAir = new Map<string, number>()
    for await (const streams of reads.listed(workspaceId, { fromMs, toMs })) {
      const byNo = new Map(streams.map((stream) => [stream.no, stream]))
      const addOnAir = ({ broadcastId }: ListedStream, ms: number) =>
        onAir.set(broadcastId, (onAir.get(broadcastId) ?? 0) + ms)
      for (const stream of streams) {
        tally.addStream(stream)
        addOnAir(stream, stream.onAirMs)
      }
      for await (const spans of reads.raw(workspaceId, [...byNo.keys()], { fromMs, toMs })) {
        for (const span of spans) {
          const stream = byNo.get(span.streamNo)
          if (!stream) continue
          tally.addSpan(span, stream.platform)
          if (!span.isRun) recent.add(span)
          else if (span.counted === SPAN_COUNTED.no) addOnAir(stream, (span.endedAt ?? now) - span.beganAt)
        }
      }
    }
    for await (const rows of sums.between(workspaceId, days)) for (const row of rows) tally.addSum(row)
    for (const run of await sums.longest(workspaceId, fromMs, toMs)) tally.addRun(run)
    return { ...tally.result(), recent, onAir }
  }
}

export type Newest = ReturnType<typeof createNewest>

/** The newest so many of those that are offered. */
function createNewest(most: number) {
  let kept: ToldSpan[] = []
  const settle = () => {
    kept = kept.sort((one, other) => other.beganAt - one.beganAt || other.id - one.id).slice(0, most)
  }
  return {
    add(span: ToldSpan): void {
      kept.push(span)
      if (kept.length > 2 * most) settle()
    },
    all(): readonly ToldSpan[] {
      settle()
      return kept
    },
  }
}
