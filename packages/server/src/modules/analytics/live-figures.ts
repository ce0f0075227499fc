import type { LiveFigures } from '@siarin/contracts/analytics'
import type { Clock } from '../../platform/clock.ts'
import { iso } from './iso.ts'
import type { LivesReads } from './lives.reads.ts'
import { healthOf, SAMPLE_STATES, slotOf } from './sample-rules.ts'
import type { SamplesRepo } from './samples.repo.ts'
import { lastSlots, sampleSeries } from './series.ts'
import { namesOf } from './views.ts'

interface LiveFiguresDeps {
  readonly reads: Pick<LivesReads, 'wanted'>
  readonly samples: Pick<SamplesRepo, 'samples'>
  readonly clock: Clock
}

const FIRST_SLOTS = 120
/** The last slots are sent until they are there: another program may write them a moment later. */
const LAST_SLOTS = 3

/** The streams of a workspace now, with what is new of each. */
export function createLiveFigures({ reads, samples, clock }: LiveFiguresDeps) {
  /** `sent`: up to which slot each stream has been sent. */
  return async (workspaceId: string, sent: Map<number, number>): Promise<LiveFigures> => {
    const now = clock.now()
    const streams = await reads.wanted(workspaceId)
    for (const no of sent.keys()) if (!streams.some((stream) => stream.no === no)) sent.delete(no)
    const isFirst = streams.some(({ no }) => !sent.has(no))
    const { from, to } = lastSlots(now, isFirst ? FIRST_SLOTS : LAST_SLOTS)
    const rows = await samples.samples(
      streams.map(({ no }) => no),
      from,
      to,
    )
    const byStream = Map.groupBy(rows, ({ streamNo }) => streamNo)
    return {
      at: iso(now),
      streams: streams.map((stream) => {
        const own = byStream.get(stream.no) ?? []
        const last = own.at(-1) ?? null
        const fresh = own.filter(({ at }) => at > (sent.get(stream.no) ?? 0))
        sent.set(stream.no, Math.max(sent.get(stream.no) ?? 0, last?.at ?? 0))
        const isRecent = last !== null && last.at >= slotOf(now) - LAST_SLOTS
        return {
          ...namesOf(stream),
          state: (last && SAMPLE_STATES[last.state]) ?? 'queued',
          health: healthOf(isRecent ? last : null),
          series: sampleSeries(fresh),
        }
      }),
    }
  }
}
