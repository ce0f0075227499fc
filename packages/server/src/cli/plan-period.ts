import type { PlanFacts } from '../modules/plans/judge-standing.ts'
import { type Arguments, textOf, UsageError, wholeNumber } from './command.ts'
import { addDays, addMonths, endOfDay } from './dates.ts'

/** For how long a plan is given. */
export type PlanPeriod =
  | { readonly kind: 'forever' }
  | { readonly kind: 'until'; readonly at: number }
  | { readonly kind: 'days'; readonly count: number }
  /** `asked`: false where nothing was said of time. */
  | { readonly kind: 'months'; readonly count: number; readonly asked: boolean }

const OPTIONS = ['until', 'days', 'months', 'forever'] as const
const MOST_DAYS = 36_500
const MOST_MONTHS = 1_200

export function readPeriod(args: Arguments): PlanPeriod {
  const asked = OPTIONS.filter((option) => args.options[option] !== undefined)
  if (asked.length > 1) throw new UsageError(`--${asked[0]} and --${asked[1]} do not go together`)
  const until = textOf(args, 'until')
  const days = textOf(args, 'days')
  const months = textOf(args, 'months')
  if (args.options['forever']) return { kind: 'forever' }
  if (days !== undefined) return { kind: 'days', count: wholeNumber(days, '--days', 1, MOST_DAYS) }
  if (until === undefined) {
    return {
      kind: 'months',
      count: wholeNumber(months ?? '1', '--months', 1, MOST_MONTHS),
      asked: months !== undefined,
    }
  }
  const at = endOfDay(until)
  if (at === null) throw new UsageError(`--until must be a day such as 2026-12-31, and '${until}' is not`)
  return { kind: 'until', at }
}

/** When it ends; null: never. Days and months of a plan that is renewed before its end come on top of what is left. */
export function periodEnd(period: PlanPeriod, has: Pick<PlanFacts, 'plan' | 'planUntil'>, plan: string, now: number) {
  const from = has.plan === plan ? Math.max(now, has.planUntil ?? now) : now
  switch (period.kind) {
    case 'forever':
      return null
    case 'until':
      return period.at
    case 'days':
      return addDays(from, period.count)
    case 'months':
      return addMonths(from, period.count)
  }
}
