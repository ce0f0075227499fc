import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a clock that was ahead may have ended too early is looked for every minute, among all that has ever ended. */
export const endedOccurrences: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index schedule_occurrences_ended on schedule_occurrences (start_by) where state = 'ended'`.execute(
      db,
    )
  },
}
