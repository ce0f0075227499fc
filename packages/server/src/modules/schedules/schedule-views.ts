import type { Platform } from '@siarin/contracts/platforms'
import { nextOccurrence } from '@siarin/contracts/schedules/recurrence'
import type { ScheduleRule } from '@siarin/contracts/schedules/schedule-rule'
import { scheduleReasonText } from '@siarin/contracts/schedules/schedule-texts'
import type { ScheduledTarget } from '@siarin/contracts/schedules/scheduled-start'
import type { OccurrenceState, Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import type { OccurrenceRow } from './occurrences.repo.ts'
import { ruleOf, type ScheduleRow } from './schedules.repo.ts'
import { type ScheduledRequest, targetsOf } from './start-request.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
/** The platform of a row that names none, which nobody can write. */
const SOME_PLATFORM: Platform = 'lain'

function textOf(code: string | null, targets: readonly ScheduledTarget[]): string | null {
  if (code === null) return null
  const deleted = targets.filter((target) => target.deleted)
  return scheduleReasonText(
    code,
    deleted.flatMap(({ name }) => name ?? []),
  )
}

/** What stored targets are called, by their ids: those that are still there. */
export type TargetNames = ReadonlyMap<string, { readonly name: string; readonly platform: Platform }>

/** Without their keys. */
export const toTargets = (request: ScheduledRequest, names: TargetNames): ScheduledTarget[] =>
  targetsOf(request).map(({ targetId = null, name = null, platform = SOME_PLATFORM }) => {
    const stored = targetId === null ? undefined : names.get(targetId)
    return { targetId, name, platform, ...stored, deleted: targetId !== null && !stored }
  })

/** The ids of all the stored targets that they name. */
export const targetIdsOf = (requests: readonly ScheduledRequest[]): string[] => [
  ...new Set(requests.flatMap(targetsOf).flatMap(({ targetId }) => targetId ?? [])),
]

const firstPlatform = (targets: readonly ScheduledTarget[]): Platform => targets[0]?.platform ?? SOME_PLATFORM

/** As it is stored, where that still counts: it may have passed, or be another rule's, or that of a clock that was ahead. */
function nextAtOf({ next_at, next_from, ...row }: ScheduleRow, rule: ScheduleRule, now: number): number | null {
  const isKnown = row.next_revision === row.revision && next_from !== null && next_from <= now
  return isKnown && (next_at === null || next_at >= now) ? next_at : (nextOccurrence(rule, now)?.dueAt ?? null)
}

/** Without its keys. */
export function toSchedule(
  row: ScheduleRow,
  request: ScheduledRequest,
  { now, names }: { now: number; names: TargetNames },
): Schedule {
  const { source, looping, title, accountId, fallback, record, rendition, logo } = request
  const targets = toTargets(request, names)
  const rule = ruleOf(row)
  return {
    id: row.id,
    version: row.revision,
    title: row.title,
    rule,
    endAtPass: row.end_at_pass === 1,
    broadcast: {
      source,
      platform: firstPlatform(targets),
      targets,
      looping,
      title: title || null,
      accountId: accountId ?? null,
      fallback: fallback ?? null,
      record: record ?? false,
      rendition: rendition ?? null,
      logo: logo ?? null,
    },
    paused: row.paused_at !== null,
    nextAt: isoOrNull(row.paused_at === null ? nextAtOf(row, rule, now) : null),
    createdAt: iso(row.created_at),
  }
}

const MINUTE_MS = 60_000

/** Whole minutes; null: on time. */
export const lateMinutesOf = (dueAt: number, startedAt: number): number | null =>
  startedAt - dueAt < MINUTE_MS ? null : Math.floor((startedAt - dueAt) / MINUTE_MS)

export type ShownOccurrence = Pick<
  OccurrenceRow,
  'schedule_id' | 'wall_date' | 'due_at' | 'ends_at' | 'state' | 'reason' | 'warning' | 'broadcast_id' | 'started_at'
>

export const toOccurrence = (
  row: ShownOccurrence,
  { title, targets }: Pick<ScheduledOccurrence, 'title' | 'targets'>,
): ScheduledOccurrence => ({
  scheduleId: row.schedule_id,
  title,
  platform: firstPlatform(targets),
  targets,
  date: row.wall_date,
  dueAt: iso(row.due_at),
  endsAt: isoOrNull(row.ends_at),
  state: row.state as OccurrenceState,
  reasonCode: row.reason,
  reason: textOf(row.reason, targets),
  warningCode: row.warning,
  warning: textOf(row.warning, targets),
  streamId: row.broadcast_id,
  startedAt: isoOrNull(row.started_at),
  lateMinutes: row.started_at === null ? null : lateMinutesOf(row.due_at, row.started_at),
})
