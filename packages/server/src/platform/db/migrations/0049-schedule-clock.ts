import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * When a schedule is due next is stored with it, and what the clock showed while schedules were carried out. The index holds what a clock
 * that was ahead may have written off: the columns of the row alone prove that, so rows of earlier versions are found too.
 */
export const scheduleClock: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('schedules').addColumn('next_at', 'bigint').execute()
    await db.schema.alterTable('schedules').addColumn('next_from', 'bigint').execute()
    await db.schema.alterTable('schedules').addColumn('next_revision', 'integer').execute()
    await sql`create index schedules_next on schedules (next_at) where next_at is not null`.execute(db)
    await sql`
      create index schedule_occurrences_lost on schedule_occurrences (start_by)
      where state in ('missed', 'failed') or reason in ('still-on-air', 'paused')`.execute(db)
    await db.schema
      .createTable('schedule_clocks')
      .addColumn('boot_id', 'text', (column) => column.primaryKey())
      .addColumn('wall_at', 'bigint', (column) => column.notNull())
      .addColumn('steady_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
