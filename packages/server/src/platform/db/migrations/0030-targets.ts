import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Where broadcasts go, saved under a name. */
export const targets: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('targets')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addColumn('platform', 'text', (column) => column.notNull())
      .addColumn('preset', 'text')
      .addColumn('address', 'text')
      .addColumn('key_sealed', 'text', (column) => column.notNull())
      .addColumn('key_hint', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('checked_at', 'bigint')
      .addColumn('check_result', 'text')
      .execute()
    await db.schema.createIndex('targets_name').on('targets').columns(['user_id', 'name_key']).unique().execute()
  },
}
