import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Every minute the planner looks for what a clock that was ahead has ended too early, among all that has ever ended, and for paused schedules
 * that are still planned, among all schedules. There are hardly ever any.
 */
export const scheduleMends: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index schedule_occurrences_ended on schedule_occurrences (start_by) where state = 'ended'`.execute(
      db,
    )
    await sql`create index schedules_still_planned on schedules (id) where planned_until > paused_at`.execute(db)
  },
}
