import type { MonthlyReport } from '@siarin/contracts/analytics'
import type { ReportQuery } from '@siarin/contracts/analytics-queries'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { dateAt } from '@siarin/contracts/zones'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Access, edges, type ViewRights } from './access.ts'
import { datesBack, daysBetween, monthBefore, monthDates } from './days.ts'
import type { LivesReads } from './lives.reads.ts'
import type { Overview } from './overview.ts'
import { reasonsOf } from './reasons.ts'
import { summarize } from './summarize.ts'

interface ReportDeps {
  readonly access: Access
  readonly overview: Overview
  readonly reads: LivesReads
  readonly clock: Clock
  readonly brand: string
  readonly nameOf: (userId: string) => Promise<string>
}

export type Report = ReturnType<typeof createReport>

const MOST_BROADCASTS = 20
const MOST_REASONS = 20

/** The figures of one month, to print. */
export function createReport({ access, overview, reads, clock, brand, nameOf }: ReportDeps) {
  async function before(workspaceId: string, zone: string, month: string): Promise<MonthlyReport['before']> {
    const { from, to } = monthDates(monthBefore(month))
    const days = daysBetween(zone, from, to)
    const { fromMs, toMs } = edges(days)
    const streams = await reads.between(workspaceId, fromMs, toMs)
    if (streams.length === 0) return null
    const { totals } = summarize(days, streams, await reads.spans(streams, fromMs, toMs), clock.now())
    const { onAirSeconds, wantedSeconds, onAirPercent, incidents } = totals
    return { onAirSeconds, wantedSeconds, onAirPercent, incidents }
  }

  async function reasons(workspaceId: string, fromMs: number, toMs: number): Promise<MonthlyReport['reasons']> {
    const streams = await reads.between(workspaceId, fromMs, toMs)
    const spans = await reads.spans(streams, fromMs, toMs)
    return reasonsOf(spans, { fromMs, toMs }, clock.now()).slice(0, MOST_REASONS)
  }

  /** The report of a workspace that may have it; the days that its plan shows. */
  async function of(workspaceId: string, { month, zone }: ReportQuery, rights: ViewRights): Promise<MonthlyReport> {
    const today = dateAt(zone, clock.now())
    const dates = monthDates(month)
    if (dates.from > today) throw new DomainError('invalid_input', ANALYTICS_TEXTS.monthAhead)
    const oldest = datesBack(zone, clock.now(), rights.days)
    if (dates.to < oldest) throw access.tooOld(rights)
    const [, from = oldest] = [dates.from, oldest].sort()
    const isRunning = dates.to >= today
    const range = { zone, from, to: isRunning ? today : dates.to }
    const cut = edges(daysBetween(zone, range.from, range.to))
    return {
      month,
      isRunning,
      brand,
      owner: await nameOf(workspaceId),
      ...(await overview.figuresOf(workspaceId, { ...range, ...cut })),
      before: await before(workspaceId, zone, month),
      broadcasts: await overview.longest(workspaceId, cut.fromMs, cut.toMs, MOST_BROADCASTS),
      reasons: await reasons(workspaceId, cut.fromMs, cut.toMs),
    }
  }

  return { of }
}
