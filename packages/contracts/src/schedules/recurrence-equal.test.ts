import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minutesOf, nextOccurrence, type Occurrence, occurrencesBetween, windowMinutes } from './recurrence.ts'
import { ScheduleRule, type ScheduleWindow } from './schedule-rule.ts'
import { DAY_MS, dateOfDay, dayNumber, weekdayOf } from './wall-time.ts'

/**
 * What `recurrence.ts` was before it was made cheap: it asks `Intl` for every offset, and looks at every day. Too slow for a program, and
 * simple enough to be read.
 */
const MINUTE_MS = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

function offsetAt(zone: string, atMs: number): number {
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...options, second: 'numeric' })
  formats.set(zone, format)
  const parts: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

function instantOf(zone: string, day: number, minutes: number): number {
  const wall = day * DAY_MS + minutes * MINUTE_MS
  const before = offsetAt(zone, wall - 1.5 * DAY_MS)
  const after = offsetAt(zone, wall + 1.5 * DAY_MS)
  const found = [wall - before, wall - after].filter((at) => at + offsetAt(zone, at) === wall)
  if (found.length > 0) return Math.min(...found)
  let [low, high] = [wall - Math.max(before, after), wall - Math.min(before, after)]
  const old = offsetAt(zone, low)
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(zone, middle) === old) low = middle
    else high = middle
  }
  return high
}

const happensOn = ({ repeat, firstDay, lastDay }: ScheduleRule, day: number): boolean => {
  const date = dateOfDay(day)
  if (repeat.kind === 'once') return date === repeat.date
  if ((firstDay !== undefined && date < firstDay) || (lastDay !== undefined && date > lastDay)) return false
  return repeat.kind === 'daily' || repeat.days.includes(weekdayOf(day))
}

function endOf(zone: string, window: ScheduleWindow, dueAt: number, day: number): number | null {
  const span = windowMinutes(window)
  if (span === null) return null
  if (window.end === undefined) return dueAt + span * MINUTE_MS
  const isNextDay = minutesOf(window.end) <= minutesOf(window.start)
  const endsAt = instantOf(zone, day + (isNextDay ? 1 : 0), minutesOf(window.end))
  return endsAt > dueAt ? endsAt : dueAt + span * MINUTE_MS
}

function allBetween(rule: ScheduleRule, fromMs: number, toMs: number): Occurrence[] {
  const found = new Map<number, Occurrence>()
  for (let day = Math.floor(fromMs / DAY_MS) - 4; day <= Math.floor(toMs / DAY_MS) + 4; day++) {
    if (!happensOn(rule, day)) continue
    for (const window of rule.windows) {
      const dueAt = instantOf(rule.zone, day, minutesOf(window.start))
      if (dueAt < fromMs || dueAt >= toMs) continue
      const skipped = rule.exceptions.includes(dateOfDay(day))
      const next = { date: dateOfDay(day), dueAt, endsAt: endOf(rule.zone, window, dueAt, day), skipped }
      const same = found.get(dueAt)
      if (!same || (same.skipped && !skipped)) found.set(dueAt, next)
      else if (!skipped) {
        const isEndless = same.endsAt === null || next.endsAt === null
        found.set(dueAt, { ...same, endsAt: isEndless ? null : Math.max(same.endsAt ?? 0, next.endsAt ?? 0) })
      }
    }
  }
  return [...found.values()].sort((one, other) => one.dueAt - other.dueAt)
}

const firstFrom = (rule: ScheduleRule, fromMs: number, days: number): Occurrence | null =>
  allBetween(rule, fromMs, fromMs + days * DAY_MS).find(({ skipped }) => !skipped) ?? null

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
/** Around the last day that Samoa left out, and over the changes of all clocks in 2026. */
const someDay = fc.oneof(
  fc.integer({ min: dayNumber('2011-12-20'), max: dayNumber('2012-01-05') }),
  fc.integer({ min: dayNumber('2025-12-20'), max: dayNumber('2027-01-10') }),
  fc.integer({ min: dayNumber('2001-01-01'), max: dayNumber('2099-01-01') }),
)
const someMinute = fc.integer({ min: 0, max: 1439 })
const someWindow = fc.oneof(
  fc.record({ start: someMinute.map(clock) }),
  fc.record({ start: someMinute.map(clock), end: someMinute.map(clock) }),
  fc.record({ start: someMinute.map(clock), minutes: fc.integer({ min: 1, max: 10_080 }) }),
)
const weekdays = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })
const someZone = fc.oneof(
  fc.constantFrom('Pacific/Apia', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Beirut', 'America/St_Johns'),
  fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
)

const someRule = (day: number) =>
  fc
    .record({
      zone: someZone,
      repeat: fc.oneof(
        fc.constant({ kind: 'daily' }),
        fc.record({ kind: fc.constant('once'), date: fc.integer({ min: day, max: day + 9 }).map(dateOfDay) }),
        fc.record({ kind: fc.constant('weekdays'), days: weekdays }),
      ),
      windows: fc.array(someWindow, { minLength: 1, maxLength: 4 }),
      firstDay: fc.option(fc.integer({ min: day - 3, max: day + 5 }).map(dateOfDay), { nil: undefined }),
      lastDay: fc.option(fc.integer({ min: day, max: day + 30 }).map(dateOfDay), { nil: undefined }),
      exceptions: fc.array(fc.integer({ min: day - 2, max: day + 14 }).map(dateOfDay), { maxLength: 14 }),
    })
    .map((given) => ScheduleRule.parse(given))

const someCase = someDay.chain((day) =>
  fc.record({ rule: someRule(day), fromMs: someMinute.map((minutes) => day * DAY_MS + minutes * MINUTE_MS) }),
)

describe('[SCHED-01] the quick recurrence', () => {
  it('finds what the plain one finds, in every zone, with any exceptions', () => {
    fc.assert(
      fc.property(someCase, fc.integer({ min: 1, max: 12 }), ({ rule, fromMs }, days) => {
        const toMs = fromMs + days * DAY_MS
        expect(occurrencesBetween(rule, fromMs, toMs)).toEqual(allBetween(rule, fromMs, toMs))
      }),
      { numRuns: 150 },
    )
  })

  it('finds the same next one', () => {
    fc.assert(
      fc.property(someCase, ({ rule, fromMs }) => {
        // All within a few weeks, or never again within a year.
        expect(nextOccurrence(rule, fromMs)).toEqual(firstFrom(rule, fromMs, 45))
      }),
      { numRuns: 100 },
    )
  })

  it('[SAFE-07] asks for no instant of a day that is excepted: a year of them costs what one day does', () => {
    const exceptions = Array.from({ length: 366 }, (_, index) => dateOfDay(dayNumber('2026-01-01') + index))
    const windows = Array.from({ length: 12 }, (_, index) => ({
      start: clock(index * 120),
      end: clock(index * 120 + 90),
    }))
    const full = ScheduleRule.parse({ repeat: { kind: 'weekdays', days: [1, 2, 3, 4, 5, 6, 7] }, windows, exceptions })
    const from = Date.parse('2026-01-01T00:00Z')
    const asked = countingFormats(() =>
      expect(nextOccurrence({ ...full, zone: 'Europe/Riga' }, from)?.date).toBe('2027-01-02'),
    )
    // Two at the ends of the search, and those of the few days around the one that is found.
    expect(asked).toBeLessThan(40)
  })
})

/** How often `Intl` is asked: a count says the same on every machine. */
function countingFormats(work: () => void): number {
  const real = Intl.DateTimeFormat.prototype.formatToParts
  let asked = 0
  Intl.DateTimeFormat.prototype.formatToParts = function count(...words) {
    asked++
    return real.apply(this, words)
  }
  try {
    work()
  } finally {
    Intl.DateTimeFormat.prototype.formatToParts = real
  }
  return asked
}
