import type { ScheduleRule, ScheduleWindow } from './schedule-rule.ts'
import { DAY_MS, dateAt, dateOfDay, dayNumber, instantOnDay, weekdayOf } from './wall-time.ts'

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
/** Exceptions can fill a year. */
const LONGEST_SEARCH_DAYS = 376

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

interface Window {
  /** Minutes since midnight. */
  readonly start: number
  /** Minutes since the midnight on which the window begins; null: no time on the wall ends it. */
  readonly end: number | null
  readonly span: number | null
}

/** A rule with its texts read: days are numbers, as in `wall-time.ts`. */
interface ReadRule {
  readonly zone: string
  readonly windows: readonly Window[]
  readonly exceptions: ReadonlySet<number>
  readonly firstDay: number
  readonly lastDay: number
  /** By `weekdayOf`; null: every day. */
  readonly weekdays: readonly boolean[] | null
}

const read = new WeakMap<ScheduleRule, ReadRule>()

function readRule(rule: ScheduleRule): ReadRule {
  const known = read.get(rule)
  if (known) return known
  const { repeat, firstDay, lastDay, zone } = rule
  const days = repeat.kind === 'weekdays' ? repeat.days : null
  const added: ReadRule = {
    zone,
    windows: rule.windows.map(readWindow),
    exceptions: new Set(rule.exceptions.map(dayNumber)),
    weekdays: days && Array.from({ length: 8 }, (_, weekday) => days.includes(weekday)),
    ...(repeat.kind === 'once'
      ? { firstDay: dayNumber(repeat.date), lastDay: dayNumber(repeat.date) }
      : {
          firstDay: firstDay === undefined ? Number.NEGATIVE_INFINITY : dayNumber(firstDay),
          lastDay: lastDay === undefined ? Number.POSITIVE_INFINITY : dayNumber(lastDay),
        }),
  }
  read.set(rule, added)
  return added
}

function readWindow(window: ScheduleWindow): Window {
  const start = minutesOf(window.start)
  const span = windowMinutes(window)
  return { start, span, end: window.end === undefined || span === null ? null : start + span }
}

const happensOn = ({ firstDay, lastDay, weekdays }: ReadRule, day: number): boolean =>
  day >= firstDay && day <= lastDay && (weekdays === null || weekdays[weekdayOf(day)] === true)

/** A duration is time that passes; an end is a time on the wall. */
function endOf(zone: string, { span, end }: Window, dueAt: number, day: number): number | null {
  if (span === null) return null
  if (end === null) return dueAt + span * MINUTE_MS
  const isNextDay = end >= DAY_MINUTES
  const endsAt = instantOnDay(zone, isNextDay ? day + 1 : day, isNextDay ? end - DAY_MINUTES : end)
  // Where the clock leaps over the whole window, it begins at the leap and is as long as it was meant to be.
  return endsAt > dueAt ? endsAt : dueAt + span * MINUTE_MS
}

const laterEnd = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other)

/** Two windows can begin at one instant where the clock leaps over both beginnings: that is one occurrence, until the later end. */
function join(into: Map<number, Occurrence>, next: Occurrence): void {
  const same = into.get(next.dueAt)
  if (!same || (same.skipped && !next.skipped)) into.set(next.dueAt, next)
  else if (!next.skipped) into.set(next.dueAt, { ...same, endsAt: laterEnd(same.endsAt, next.endsAt) })
}

/** Adds those of a day that are due from the one instant on and before the other. */
function joinDay(into: Map<number, Occurrence>, rule: ReadRule, day: number, [fromMs, toMs]: [number, number]): void {
  if (!happensOn(rule, day)) return
  const date = dateOfDay(day)
  const skipped = rule.exceptions.has(day)
  for (const window of rule.windows) {
    const dueAt = instantOnDay(rule.zone, day, window.start)
    if (dueAt < fromMs || dueAt >= toMs) continue
    join(into, { date, dueAt, endsAt: endOf(rule.zone, window, dueAt, day), skipped })
  }
}

const inOrder = (found: ReadonlyMap<number, Occurrence>): Occurrence[] =>
  [...found.values()].sort((one, other) => one.dueAt - other.dueAt)

/** All that are due from the one instant on and before the other, in order; those of exceptions too, and marked. */
export function occurrencesBetween(rule: ScheduleRule, fromMs: number, toMs: number): Occurrence[] {
  const known = readRule(rule)
  const found = new Map<number, Occurrence>()
  const lastDay = dayNumber(dateAt(rule.zone, toMs)) + AROUND_DAYS
  for (let day = dayNumber(dateAt(rule.zone, fromMs)) - AROUND_DAYS; day <= lastDay; day++) {
    joinDay(found, known, day, [fromMs, toMs])
  }
  return inOrder(found)
}

/** The first that happens from an instant on; null: there is none any more. Days that are excepted cost nothing. */
export function nextOccurrence(rule: ScheduleRule, fromMs: number): Occurrence | null {
  const known = readRule(rule)
  const start = Math.max(fromMs, Number.isFinite(known.firstDay) ? (known.firstDay - AROUND_DAYS) * DAY_MS : 0)
  const end = start + LONGEST_SEARCH_DAYS * DAY_MS
  const found = new Map<number, Occurrence>()
  let lastDay = dayNumber(dateAt(rule.zone, end)) + AROUND_DAYS
  for (let day = dayNumber(dateAt(rule.zone, start)) - AROUND_DAYS; day <= lastDay; day++) {
    if (known.exceptions.has(day)) continue
    joinDay(found, known, day, [start, end])
    // A day nearby may begin at the same instant, where the clock leaps over a whole day.
    if (found.size > 0) lastDay = Math.min(lastDay, day + 2 * AROUND_DAYS)
  }
  return inOrder(found)[0] ?? null
}
