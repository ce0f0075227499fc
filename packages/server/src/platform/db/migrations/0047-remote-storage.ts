import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What is still to be removed from a store elsewhere, and who writes to an upload at the moment. The version before knows no such store. */
export const remoteStorage: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('storage_removals')
      .addColumn('prefix', 'text', (column) => column.primaryKey())
      .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('upload_locks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('beat', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('is_wanted', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
