import type { ReportQuery, SeriesQuery } from '@siarin/contracts/analytics-queries'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../identity/caller.ts'
import type { Access } from './access.ts'
import type { createCsv } from './csv.ts'
import { iso } from './iso.ts'
import type { createLiveFeed } from './live-feed.ts'
import type { LivesReads } from './lives.reads.ts'
import type { Overview } from './overview.ts'
import type { Report } from './report.ts'
import type { ReportMail } from './report-mail.ts'
import { HOUR_MS } from './sample-rules.ts'
import type { createSeries } from './series.ts'
import type { createStory } from './story.ts'

interface AnalyticsServiceDeps {
  readonly access: Access
  readonly reads: LivesReads
  readonly overview: Overview
  readonly story: ReturnType<typeof createStory>
  readonly series: ReturnType<typeof createSeries>
  readonly csv: ReturnType<typeof createCsv>
  readonly report: Report
  readonly reportMail: ReportMail
  readonly feed: ReturnType<typeof createLiveFeed>
  readonly clock: Clock
}

export type AnalyticsService = ReturnType<typeof createAnalyticsService>

/** What callers may ask: each by workspace, and no more than the plan shows. */
export function createAnalyticsService(deps: AnalyticsServiceDeps) {
  const { access, reads, overview, story, clock } = deps
  return {
    summary: overview.summary,
    list: overview.list,
    story,
    async series(caller: Caller, { streamId, ...query }: SeriesQuery) {
      const stream = await reads.stream(caller.workspaceId, streamId)
      if (!stream) throw new DomainError('stream_not_found', ANALYTICS_TEXTS.notFound)
      const to = query.to === undefined ? clock.now() : Date.parse(query.to)
      const from = query.from === undefined ? to - HOUR_MS : Date.parse(query.from)
      const { fromMs, toMs } = access.momentsOf(await access.rightsOf(caller), from, to)
      return {
        streamId,
        from: iso(fromMs),
        to: iso(toMs),
        ...(await deps.series(caller.workspaceId, [stream.no], { fromMs, toMs }))(stream.no),
      }
    },
    csv: deps.csv,
    async assertLive(caller: Caller): Promise<void> {
      await access.assertHas(caller, 'live')
    },
    feed: deps.feed,
    async report(caller: Caller, query: ReportQuery) {
      return deps.report.of(caller.workspaceId, query, await access.assertHas(caller, 'report'))
    },
    reportMail: deps.reportMail,
  }
}
