import { ANALYTICS_ACCESS, type AnalyticsAccess } from '@siarin/contracts/analytics-access'
import { ANALYTICS_DAYS_MAX, type AnalyticsRangeQuery } from '@siarin/contracts/analytics-queries'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { PLANS, type PlanLimits } from '@siarin/contracts/plans'
import { DAY_MS, dateAt, dayNumber } from '@siarin/contracts/zones'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../identity/caller.ts'
import { type Day, datesBack, daysBetween } from './days.ts'

/** What a plan shows. One that has ended shows what the smallest does. */
export type PlanOfUser = (userId: string) => Promise<{ level: PlanLimits['analytics']; planName: string }>

export interface ViewRights extends AnalyticsAccess {
  readonly planName: string
}

export interface Range {
  readonly zone: string
  readonly from: string
  readonly to: string
  readonly oldestDate: string
  readonly days: readonly Day[]
  readonly fromMs: number
  readonly toMs: number
}

const USUAL_DAYS = 7
/** Dates as they are written stand in the order of time. */
const earlier = (...dates: string[]): string => dates.sort()[0] ?? ''
const REASON = { reasonCode: 'plan-analytics' }
const nextWith = (has: (access: AnalyticsAccess) => boolean): string | null =>
  PLANS.find(({ limits }) => has(ANALYTICS_ACCESS[limits.analytics]))?.name ?? null
const invalid = (): DomainError => new DomainError('invalid_input', ANALYTICS_TEXTS.rangeInvalid)

/** What a caller may see, and refusals that name the plan which shows more. */
export function createAccess({ planOf, clock }: { planOf: PlanOfUser; clock: Clock }) {
  const tooOld = ({ days, planName }: ViewRights): DomainError => {
    const next = nextWith((access) => access.days > days)
    return new DomainError('plan_limit', ANALYTICS_TEXTS.days(planName, days, next), REASON)
  }

  async function rightsOf({ workspaceId }: Caller): Promise<ViewRights> {
    const { level, planName } = await planOf(workspaceId)
    return { ...ANALYTICS_ACCESS[level], planName }
  }

  async function assertHas(caller: Caller, what: 'csv' | 'live' | 'report'): Promise<ViewRights> {
    const rights = await rightsOf(caller)
    if (rights[what]) return rights
    const says = { csv: ANALYTICS_TEXTS.csv, live: ANALYTICS_TEXTS.live, report: ANALYTICS_TEXTS.monthly }[what]
    const next = nextWith((access) => access[what])
    throw new DomainError('plan_limit', says(rights.planName, next), REASON)
  }

  return {
    rightsOf,
    assertHas,
    /** Dates on the wall of a zone, both counted. What lies ahead is left out. */
    rangeOf(rights: ViewRights, query: AnalyticsRangeQuery): Range {
      const { zone } = query
      const today = dateAt(zone, clock.now())
      const oldestDate = datesBack(zone, clock.now(), rights.days)
      const to = earlier(today, query.to ?? today)
      const usual = datesBack(zone, clock.now(), USUAL_DAYS)
      const from = query.from ?? earlier(usual, to)
      if (from > to || dayNumber(to) - dayNumber(from) >= ANALYTICS_DAYS_MAX) throw invalid()
      if (from < oldestDate) throw tooOld(rights)
      return { zone, from, to, oldestDate, ...edges(daysBetween(zone, from, to)) }
    },
    /** Moments; what lies ahead is left out. */
    momentsOf(rights: ViewRights, fromMs: number, toMs: number): { fromMs: number; toMs: number } {
      const now = clock.now()
      const end = Math.min(toMs, now)
      if (!(fromMs < end) || end - fromMs > ANALYTICS_DAYS_MAX * DAY_MS) throw invalid()
      if (fromMs < now - rights.days * DAY_MS) throw tooOld(rights)
      return { fromMs, toMs: end }
    },
    tooOld,
  }
}

export type Access = ReturnType<typeof createAccess>

export const edges = (days: readonly Day[]) => ({
  days,
  fromMs: days[0]?.fromMs ?? 0,
  toMs: days.at(-1)?.toMs ?? 0,
})
