import type { AlertSettings } from './alerts.ts'
import { dateOfDay, dayNumber, instantOf, wallTimeAt } from './schedules/wall-time.ts'

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** When the quiet hours end that run at an instant; null: none do. Times are those of the wall, so a change of the clock moves none. */
export function quietUntil({ quiet, zone }: Pick<AlertSettings, 'quiet' | 'zone'>, atMs: number): number | null {
  if (!quiet.on) return null
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)]
  if (from === to) return null
  const { date, minutes } = wallTimeAt(zone, atMs)
  const overMidnight = to < from
  const isQuiet = overMidnight ? minutes >= from || minutes < to : minutes >= from && minutes < to
  if (!isQuiet) return null
  const endsTomorrow = overMidnight && minutes >= from
  const end = instantOf(zone, { date: endsTomorrow ? dateOfDay(dayNumber(date) + 1) : date, minutes: to })
  // Where the clock was turned back, the wall shows the end a second time.
  return end > atMs ? end : null
}
