import { nextOccurrence, occurrencesBetween } from '@siarin/contracts/schedules/recurrence'
import type { ScheduleRule } from '@siarin/contracts/schedules/schedule-rule'
import { occurrenceId } from './occurrence-id.ts'
import type { NewOccurrence } from './occurrences.repo.ts'

export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000
/** How far ahead occurrences are rows. */
export const HORIZON_MS = 8 * DAY_MS
/** A program that was away for longer does not tell of what was before. */
const LONGEST_LOOK_BACK_MS = 30 * DAY_MS
/** What goes on without an end can be started late for so long. */
const ENDLESS_WINDOW_MS = DAY_MS

interface Planned {
  readonly rows: NewOccurrence[]
  readonly plannedUntil: number
}

type Windowed = Pick<Plannable, 'id' | 'userId' | 'rule' | 'endAtPass'>

export interface Plannable {
  readonly id: string
  readonly userId: string
  readonly rule: ScheduleRule
  readonly endAtPass: boolean
  /** What is due before this has its row. */
  readonly plannedUntil: number
}

/** The rows up to the horizon that are not there yet: also those that came due while nobody planned. */
export function planOccurrences({ plannedUntil, ...schedule }: Plannable, now: number): Planned {
  const from = Math.max(plannedUntil, now - LONGEST_LOOK_BACK_MS)
  const to = Math.max(from, now + HORIZON_MS)
  return { rows: rowsBetween(schedule, from, to), plannedUntil: to }
}

/** What the rule says now of one that was due at this instant; undefined: it has none there any more, or that was long ago. */
export const planAgain = (schedule: Windowed, dueAt: number, now: number): NewOccurrence | undefined =>
  dueAt < now - LONGEST_LOOK_BACK_MS ? undefined : rowsBetween(schedule, dueAt, dueAt + 1)[0]

function rowsBetween({ id, userId, rule, endAtPass }: Windowed, from: number, to: number): NewOccurrence[] {
  return occurrencesBetween(rule, from, to).map(({ date, dueAt, endsAt, skipped }): NewOccurrence => {
    const window = endsAt ?? endOfLateStart(rule, dueAt)
    return {
      id: occurrenceId(id, dueAt),
      schedule_id: id,
      user_id: userId,
      wall_date: date,
      due_at: dueAt,
      start_by: window,
      ends_at: endsAt,
      end_at_pass: endAtPass ? 1 : 0,
      state: skipped ? 'skipped' : 'due',
      reason: skipped ? 'skipped' : null,
      next_try_at: skipped ? null : dueAt,
      check_at: skipped ? null : dueAt - HOUR_MS,
    }
  })
}

/** The next one starts it, if nothing has until then. */
function endOfLateStart(rule: ScheduleRule, dueAt: number): number {
  const next = nextOccurrence(rule, dueAt + 1)
  return Math.min(dueAt + ENDLESS_WINDOW_MS, next?.dueAt ?? Number.POSITIVE_INFINITY)
}
