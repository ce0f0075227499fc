import { DAY_MS, dateAt } from '@siarin/contracts/schedules/wall-time'
import { useQuery } from '@tanstack/react-query'
import { upcomingQuery } from './api/schedules.ts'
import { useMinute } from './use-minute.ts'
import { daysFrom, startOfDay } from './week-grid.ts'
import { zoneHere } from './zones.ts'

const WEEK_DAYS = 7
const none: readonly never[] = []

/**
 * A week, by the clock of this browser: `weeksAhead` of today's. The week before is asked for beside it: what began there may still be
 * on, and what failed there is told.
 */
export function useUpcoming(weeksAhead: number) {
  const nowMs = useMinute()
  const zone = zoneHere()
  const today = dateAt(zone, nowMs)
  const all = daysFrom(today, (weeksAhead + 1) * WEEK_DAYS + 1)
  const dates = all.slice(weeksAhead * WEEK_DAYS, -1)
  const [from = today, to = today] = [dates[0], all.at(-1)]
  const start = startOfDay(zone, from)
  const week = useQuery(upcomingQuery(start, startOfDay(zone, to)))
  const earlier = useQuery(upcomingQuery(start - WEEK_DAYS * DAY_MS, start))
  const { refetch } = week
  const occurrences = week.data && [...(earlier.data?.data ?? none), ...week.data.data]
  return {
    ...{ nowMs, zone, today, dates },
    /** All that may reach into the week. Undefined while it is not known. */
    occurrences,
    /** For a list: of a later week, what begins in it. */
    listed: weeksAhead === 0 ? occurrences : week.data?.data,
    more: week.data?.more === true,
    error: week.data ? null : week.error,
    reload: (): void => void refetch(),
  }
}
