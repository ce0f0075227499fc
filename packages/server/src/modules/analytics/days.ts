import { DAY_MS, dateAt, dateOfDay, dayNumber, instantOf } from '@siarin/contracts/zones'

/** A day on the wall: from its midnight, or where that is leapt over from its first moment, to the next one's. */
export interface Day {
  readonly date: string
  readonly fromMs: number
  readonly toMs: number
}

/** Each date from one to another, both counted. A date that a zone left out altogether has no moment, and is left out. */
export function daysBetween(zone: string, from: string, to: string): Day[] {
  const days: Day[] = []
  let fromMs = startOf(zone, from)
  for (let day = dayNumber(from); day <= dayNumber(to); day++) {
    const toMs = startOf(zone, dateOfDay(day + 1))
    if (toMs > fromMs) days.push({ date: dateOfDay(day), fromMs, toMs })
    fromMs = toMs
  }
  return days
}

/** The first moment at which the wall shows this date. */
const startOf = (zone: string, date: string): number => instantOf(zone, { date, minutes: 0 })

/** So many days back, today counted. */
export const datesBack = (zone: string, now: number, days: number): string =>
  dateOfDay(dayNumber(dateAt(zone, now)) - days + 1)

/** First and last date of a month such as `2026-11`. */
export function monthDates(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { from: `${month}-01`, to: dateOfDay(Date.UTC(year, number, 1) / DAY_MS - 1) }
}

export function monthBefore(month: string): string {
  const { from } = monthDates(month)
  return dateOfDay(dayNumber(from) - 1).slice(0, 7)
}

/** Which day a moment lies in: days follow each other without a gap. -1: before all; past the end: their number. */
export function dayAt(days: readonly Day[], atMs: number): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle]?.fromMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  const last = days.at(-1)
  return last && atMs >= last.toMs ? days.length : low - 1
}
