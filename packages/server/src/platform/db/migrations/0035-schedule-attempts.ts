import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What was started and never got on air is started again within its window: how often that was, and when to look at it next. */
export const scheduleAttempts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('schedule_occurrences')
      .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('schedule_occurrences').addColumn('watch_at', 'bigint').execute()
    await sql`create index schedule_occurrences_watch on schedule_occurrences (watch_at) where watch_at is not null`.execute(
      db,
    )
  },
}
