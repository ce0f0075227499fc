import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { dateAt } from '@siarin/contracts/schedules/wall-time'

export interface OccurrenceGroups {
  /** By day, the nearest first; what is on now is of its own day. */
  readonly coming: readonly { readonly date: string; readonly list: readonly ScheduledOccurrence[] }[]
  /** The newest first. */
  readonly past: readonly ScheduledOccurrence[]
}

/** Over and done with. One that has been started counts as current until its time is over. */
function isPast({ state, dueAt, endsAt }: ScheduledOccurrence, nowMs: number): boolean {
  if (state === 'ended' || state === 'missed' || state === 'failed') return true
  if (state === 'skipped') return Date.parse(dueAt) < nowMs
  return state === 'started' && endsAt !== null && Date.parse(endsAt) < nowMs
}

/** For each schedule the one whose time has come and is not over, such as one that is tried again. */
export const currentOf = (
  all: readonly ScheduledOccurrence[],
  nowMs: number,
): ReadonlyMap<string, ScheduledOccurrence> =>
  new Map(
    all.flatMap((each) =>
      Date.parse(each.dueAt) <= nowMs && !isPast(each, nowMs) ? [[each.scheduleId, each] as const] : [],
    ),
  )

/** What is to come and what has been, as somebody in this zone reads it. */
export function groupOccurrences(all: readonly ScheduledOccurrence[], zone: string, nowMs: number): OccurrenceGroups {
  const coming = new Map<string, ScheduledOccurrence[]>()
  const past: ScheduledOccurrence[] = []
  for (const occurrence of all) {
    if (isPast(occurrence, nowMs)) past.unshift(occurrence)
    else {
      const date = dateAt(zone, Date.parse(occurrence.dueAt))
      coming.set(date, [...(coming.get(date) ?? []), occurrence])
    }
  }
  return { coming: [...coming].map(([date, list]) => ({ date, list })), past }
}
