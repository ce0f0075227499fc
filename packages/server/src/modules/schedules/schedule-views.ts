import { nextOccurrence } from '@siarin/contracts/schedules/recurrence'
import { scheduleReasonText } from '@siarin/contracts/schedules/schedule-texts'
import type { OccurrenceState, Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import type { StartStreamBody } from '@siarin/contracts/streams'
import type { OccurrenceRow } from './occurrences.repo.ts'
import { ruleOf, type ScheduleRow } from './schedules.repo.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
const textOf = (code: string | null): string | null => (code === null ? null : scheduleReasonText(code))

/** Without its key. */
export function toSchedule(row: ScheduleRow, request: StartStreamBody, now: number): Schedule {
  const { source, platform, looping, title, accountId, fallback } = request
  const rule = ruleOf(row)
  const next = row.paused_at === null ? nextOccurrence(rule, now) : null
  return {
    id: row.id,
    title: row.title,
    rule,
    endAtPass: row.end_at_pass === 1,
    broadcast: {
      source,
      platform,
      looping,
      title: title || null,
      accountId: accountId ?? null,
      fallback: fallback ?? null,
    },
    paused: row.paused_at !== null,
    nextAt: isoOrNull(next?.dueAt ?? null),
    createdAt: iso(row.created_at),
  }
}

export type ShownOccurrence = Pick<
  OccurrenceRow,
  'schedule_id' | 'wall_date' | 'due_at' | 'ends_at' | 'state' | 'reason' | 'warning' | 'broadcast_id' | 'started_at'
>

export const toOccurrence = (
  row: ShownOccurrence,
  { title, platform }: Pick<ScheduledOccurrence, 'title' | 'platform'>,
): ScheduledOccurrence => ({
  scheduleId: row.schedule_id,
  title,
  platform,
  date: row.wall_date,
  dueAt: iso(row.due_at),
  endsAt: isoOrNull(row.ends_at),
  state: row.state as OccurrenceState,
  reasonCode: row.reason,
  reason: textOf(row.reason),
  warningCode: row.warning,
  warning: textOf(row.warning),
  streamId: row.broadcast_id,
  startedAt: isoOrNull(row.started_at),
})
