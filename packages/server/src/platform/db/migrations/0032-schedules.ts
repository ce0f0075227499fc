import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What is to go on air by itself, and each time that it is due. */
export const schedules: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('schedules')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('rule', 'text', (column) => column.notNull())
      .addColumn('end_at_pass', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('request_sealed', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('planned_until', 'bigint', (column) => column.notNull())
      .addColumn('paused_at', 'bigint')
      .addColumn('deleted_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('schedules_user').on('schedules').columns(['user_id', 'created_at', 'id']).execute()
    await db.schema.createIndex('schedules_planned').on('schedules').column('planned_until').execute()
    await db.schema
      .createTable('schedule_occurrences')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('schedule_id', 'text', (column) => column.notNull().references('schedules.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('wall_date', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('start_by', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint')
      .addColumn('end_at_pass', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('warning', 'text')
      .addColumn('broadcast_id', 'text')
      .addColumn('started_at', 'bigint')
      .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('next_try_at', 'bigint')
      .addColumn('check_at', 'bigint')
      // However many programs plan at once: each time is due once.
      .addUniqueConstraint('schedule_occurrences_due', ['schedule_id', 'due_at'])
      .execute()
    const occurrences = () => db.schema.createIndex('schedule_occurrences_user').on('schedule_occurrences')
    await occurrences().columns(['user_id', 'due_at']).execute()
    // What is over is never asked for by these two: they stay small however long the history gets.
    await sql`create index schedule_occurrences_try on schedule_occurrences (next_try_at) where next_try_at is not null`.execute(
      db,
    )
    await sql`create index schedule_occurrences_check on schedule_occurrences (check_at) where check_at is not null`.execute(
      db,
    )
  },
}
