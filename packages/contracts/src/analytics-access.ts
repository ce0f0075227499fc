import type { PlanLimits } from './plans.ts'

type AnalyticsLevel = PlanLimits['analytics']

/** What each level shows. */
export interface AnalyticsAccess {
  readonly days: number
  readonly csv: boolean
  readonly live: boolean
  readonly report: boolean
}
export const ANALYTICS_ACCESS: Record<AnalyticsLevel, AnalyticsAccess> = {
  basic: { days: 7, csv: false, live: false, report: false },
  full: { days: 30, csv: true, live: false, report: false },
  advanced: { days: 365, csv: true, live: true, report: false },
  business: { days: 365, csv: true, live: true, report: true },
}
