import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Bytes on their way in: they take their owner's room before they travel. */
export const reservations: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('upload_reservations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('held_until', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('upload_reservations_user').on('upload_reservations').column('user_id').execute()
  },
}
