import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Every minute the planner looks for deleted schedules of which nothing has to be ended any more. It looked through all schedules, and
 * through all occurrences of those that were deleted.
 */
export const deletedSchedules: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index schedules_deleted on schedules (id) where deleted_at is not null`.execute(db)
    await sql`
      create index schedule_occurrences_waiting on schedule_occurrences (schedule_id)
      where next_try_at is not null`.execute(db)
  },
}
