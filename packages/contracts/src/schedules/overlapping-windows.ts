import { minutesOf, windowMinutes } from './recurrence.ts'
import type { ScheduleRule } from './schedule-rule.ts'

const DAY_MINUTES = 1440
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]

/** Two weeks of it, by the clock on the wall: the longest window is a week. */
function daysOf({ repeat }: ScheduleRule): number[] {
  if (repeat.kind === 'once') return [0]
  const days = repeat.kind === 'daily' ? ALL_DAYS : [...new Set(repeat.days)]
  return [...days, ...days.map((day) => day + 7)].sort((one, other) => one - other)
}

/**
 * Whether one window is still open when the next begins: both would send to one target. One without an end may meet the next day's, which
 * then finds it on air and lets it be; it may not meet another window of its own day.
 */
export function hasOverlaps(rule: ScheduleRule): boolean {
  const windows = [...rule.windows].sort((one, other) => minutesOf(one.start) - minutesOf(other.start))
  if (windows.length > 1 && windows.some((window) => windowMinutes(window) === null)) return true
  let openUntil = Number.NEGATIVE_INFINITY
  for (const day of daysOf(rule)) {
    for (const window of windows) {
      const start = day * DAY_MINUTES + minutesOf(window.start)
      if (start < openUntil) return true
      openUntil = start + (windowMinutes(window) ?? 0)
    }
  }
  return false
}
