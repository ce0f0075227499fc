import type { Generated } from 'kysely'

/** What is to go on air by itself. */
export interface ScheduleTable {
  id: string
  user_id: string
  title: string
  /** When it is due, as JSON: a `ScheduleRule`. */
  rule: string
  end_at_pass: Generated<number>
  /** What to start, as JSON: the body of a start call, with its key. */
  request_sealed: string
  /** Rises with each change: who has planned by an older one writes nothing. */
  revision: Generated<number>
  /** Up to here its occurrences are rows. */
  planned_until: number
  /** The first time at or after `next_from` that it is due; null: none. Derived by `next_revision`: it counts for that alone. */
  next_at: Generated<number | null>
  next_from: Generated<number | null>
  next_revision: Generated<number | null>
  paused_at: number | null
  /** Its owner deleted it: the row goes once nothing of it is on air any more. */
  deleted_at: number | null
  created_at: number
}

export interface ScheduleOccurrenceTable {
  /** Follows from schedule and instant, and is the id of the first broadcast that it starts: it cannot start two. */
  id: string
  schedule_id: string
  user_id: string
  /** The date on the wall of its zone. */
  wall_date: string
  due_at: number
  /** Later than this it is not started any more. */
  start_by: number
  ends_at: number | null
  end_at_pass: Generated<number>
  /** due -> starting -> started -> ended, or: missed, failed, skipped. */
  state: string
  /** A code: why it has not started, or why what it started is not on air. */
  reason: string | null
  /** A code: why it could not start, as things stood when it was last checked ahead of time. */
  warning: string | null
  /** The last of these that its owner was told of. */
  blocked_for: string | null
  broadcast_id: string | null
  started_at: number | null
  /** Rises with each claim: a holder with an older one can write nothing any more. */
  tries: Generated<number>
  /** When something is to be done about it: start, try again, end. Null: nothing any more. */
  next_try_at: number | null
  check_at: number | null
  /** How often what it started has ended without ever being on air. The id of the next broadcast follows from it. */
  attempt: Generated<number>
  /** When what it started is looked at next. Null: it was on air, or is over. */
  watch_at: number | null
}

/** What a machine's clock showed when it was last gone by. */
export interface ScheduleClockTable {
  /** The id of the running kernel's boot: its steady time begins with that. */
  boot_id: string
  wall_at: number
  steady_at: number
  /** Its steady time when it last may have been ahead by much. */
  doubted_at: number | null
  /** By how much it was ahead of the database's then. Null: SQLite, or an older version wrote it. */
  ahead_ms: number | null
}
