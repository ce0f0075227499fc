import type { MonthlyReport } from '@siarin/contracts/analytics'
import type { ReportQuery } from '@siarin/contracts/analytics-queries'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { dateAt } from '@siarin/contracts/zones'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Access, edges, type ViewRights } from './access.ts'
import { datesBack, daysBetween, monthBefore, monthDates } from './days.ts'
import type { Overview } from './overview.ts'
import { reasonsOf } from './reasons.ts'

interface ReportDeps {
  readonly access: Access
  readonly overview: Overview
  readonly clock: Clock
  readonly brand: string
  readonly nameOf: (userId: string) => Promise<string>
}

export type Report = ReturnType<typeof createReport>

const MOST_BROADCASTS = 20
const MOST_REASONS = 20

/** The figures of one month, to print. */
export function createReport({ access, overview, clock, brand, nameOf }: ReportDeps) {
  async function before(workspaceId: string, zone: string, month: string): Promise<MonthlyReport['before']> {
    const { from, to } = monthDates(monthBefore(month))
    const days = daysBetween(zone, from, to)
    const { fromMs, toMs } = edges(days)
    const { totals } = await overview.tallyOf(workspaceId, { days, fromMs, toMs })
    if (totals.streams === 0) return null
    const { onAirSeconds, wantedSeconds, onAirPercent, incidents } = totals
    return { onAirSeconds, wantedSeconds, onAirPercent, incidents }
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
    const { onAir, reasons, ...figures } = await overview.figuresOf(workspaceId, { ...range, ...cut })
    return {
      month,
      isRunning,
      brand,
      owner: await nameOf(workspaceId),
      ...figures,
      before: await before(workspaceId, zone, month),
      broadcasts: await overview.longest(workspaceId, onAir, MOST_BROADCASTS),
      reasons: reasonsOf(reasons).slice(0, MOST_REASONS),
    }
  }

  return { of }
}
