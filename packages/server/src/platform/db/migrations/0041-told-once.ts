import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What owners have been told of, so that each thing is told once: the end of a plan, a room that runs low, a schedule that cannot start. */
export const toldOnce: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('users').addColumn('plan_told_until', 'bigint').execute()
    await db.schema
      .alterTable('users')
      .addColumn('plan_told_step', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('schedule_occurrences').addColumn('blocked_for', 'text').execute()
    await db.schema
      .createTable('low_rooms')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('room_bytes', 'bigint', (column) => column.notNull())
      .execute()
  },
}
