import { ANALYTICS_ACCESS, type AnalyticsAccess } from '@siarin/contracts/analytics-access'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { PLANS, type Plan, planOf } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { type DayRange, plusDays } from './range.ts'

/** Where the operator holds nobody to a plan, everyone has everything. */
export const accessOf = ({ plan, enforced }: Standing): AnalyticsAccess =>
  ANALYTICS_ACCESS[enforced ? planOf(plan).limits.analytics : 'business']

/** The first plan that has it; null: none has. */
const firstWith = (has: (access: AnalyticsAccess) => boolean): Plan | null =>
  PLANS.find(({ limits }) => has(ANALYTICS_ACCESS[limits.analytics])) ?? null

const nameWith = (has: (access: AnalyticsAccess) => boolean): string | null => firstWith(has)?.name ?? null

type Extra = 'csv' | 'live' | 'report'

const WORDS: Record<Extra, (plan: string, next: string | null) => string> = {
  csv: ANALYTICS_TEXTS.csv,
  live: ANALYTICS_TEXTS.live,
  report: ANALYTICS_TEXTS.monthly,
}

/** Why the plan does not have it, with the plan that does; null: it has, or nobody knows yet and the server will say. */
export function extraRefusal(standing: Standing | undefined, extra: Extra): string | null {
  if (!standing || accessOf(standing)[extra]) return null
  return WORDS[extra](
    planOf(standing.plan).name,
    nameWith((access) => access[extra]),
  )
}

/** The same for days that lie too far back. */
export function rangeRefusal(standing: Standing | undefined, range: DayRange, today: string): string | null {
  if (!standing) return null
  const { days } = accessOf(standing)
  const oldest = plusDays(today, 1 - days)
  if (range.from >= oldest) return null
  const next = nameWith((access) => plusDays(today, 1 - access.days) <= range.from)
  return ANALYTICS_TEXTS.days(planOf(standing.plan).name, days, next)
}
