import type { ScheduleRule, ScheduleWindow } from './schedule-rule.ts'
import { DAY_MS, dateAt, dateOfDay, dayNumber, instantOf, weekdayOf } from './wall-time.ts'

/** One time that a schedule is due. Instants are milliseconds. */
export interface Occurrence {
  /** The date on the wall on which its window begins. */
  readonly date: string
  readonly dueAt: number
  /** Null: it goes on until somebody ends it. */
  readonly endsAt: number | null
  /** Its date is one of the rule's exceptions: it does not happen. */
  readonly skipped: boolean
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
/** An instant's date on the wall is at most this far from its date in UTC, also where a whole day was left out. */
const AROUND_DAYS = 2
const SEARCH_DAYS = 8
/** Exceptions can fill a year. */
const LONGEST_SEARCH_DAYS = 375

export function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

/** How long a window is by the clock on the wall; null: without an end. */
export function windowMinutes({ start, end, minutes }: ScheduleWindow): number | null {
  if (minutes !== undefined) return minutes
  if (end === undefined) return null
  const span = minutesOf(end) - minutesOf(start)
  return span > 0 ? span : span + DAY_MINUTES
}

const happensOn = ({ repeat, firstDay, lastDay }: ScheduleRule, date: string, day: number): boolean => {
  if (repeat.kind === 'once') return date === repeat.date
  if ((firstDay !== undefined && date < firstDay) || (lastDay !== undefined && date > lastDay)) return false
  return repeat.kind === 'daily' || repeat.days.includes(weekdayOf(day))
}

/** A duration is time that passes; an end is a time on the wall. */
function endOf(zone: string, window: ScheduleWindow, dueAt: number, day: number): number | null {
  const span = windowMinutes(window)
  if (span === null) return null
  if (window.end === undefined) return dueAt + span * MINUTE_MS
  const isNextDay = minutesOf(window.end) <= minutesOf(window.start)
  const endsAt = instantOf(zone, { date: dateOfDay(day + (isNextDay ? 1 : 0)), minutes: minutesOf(window.end) })
  // Where the clock leaps over the whole window, it begins at the leap and is as long as it was meant to be.
  return endsAt > dueAt ? endsAt : dueAt + span * MINUTE_MS
}

function occurrencesOn(rule: ScheduleRule, day: number): Occurrence[] {
  const date = dateOfDay(day)
  if (!happensOn(rule, date, day)) return []
  const skipped = rule.exceptions.includes(date)
  return rule.windows.map((window) => {
    const dueAt = instantOf(rule.zone, { date, minutes: minutesOf(window.start) })
    return { date, dueAt, endsAt: endOf(rule.zone, window, dueAt, day), skipped }
  })
}

const laterEnd = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other)

/** Two windows can begin at one instant where the clock leaps over both beginnings: that is one occurrence, until the later end. */
function join(into: Map<number, Occurrence>, next: Occurrence): void {
  const same = into.get(next.dueAt)
  if (!same || (same.skipped && !next.skipped)) into.set(next.dueAt, next)
  else if (!next.skipped) into.set(next.dueAt, { ...same, endsAt: laterEnd(same.endsAt, next.endsAt) })
}

/** All that are due from the one instant on and before the other, in order; those of exceptions too, and marked. */
export function occurrencesBetween(rule: ScheduleRule, fromMs: number, toMs: number): Occurrence[] {
  const found = new Map<number, Occurrence>()
  const lastDay = dayNumber(dateAt(rule.zone, toMs)) + AROUND_DAYS
  for (let day = dayNumber(dateAt(rule.zone, fromMs)) - AROUND_DAYS; day <= lastDay; day++) {
    for (const occurrence of occurrencesOn(rule, day)) {
      if (occurrence.dueAt >= fromMs && occurrence.dueAt < toMs) join(found, occurrence)
    }
  }
  return [...found.values()].sort((one, other) => one.dueAt - other.dueAt)
}

/** The first that happens from an instant on; null: there is none any more. */
export function nextOccurrence(rule: ScheduleRule, fromMs: number): Occurrence | null {
  const begins = rule.repeat.kind === 'once' ? rule.repeat.date : rule.firstDay
  const start = Math.max(fromMs, begins === undefined ? 0 : (dayNumber(begins) - AROUND_DAYS) * DAY_MS)
  for (let days = 0; days < LONGEST_SEARCH_DAYS; days += SEARCH_DAYS) {
    const from = start + days * DAY_MS
    const next = occurrencesBetween(rule, from, from + SEARCH_DAYS * DAY_MS).find(({ skipped }) => !skipped)
    if (next) return next
  }
  return null
}
