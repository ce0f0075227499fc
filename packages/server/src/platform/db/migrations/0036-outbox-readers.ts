import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who reads the outbox, and how far each has come. */
export const outboxReaders: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('outbox_readers')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('after_id', 'bigint', (column) => column.notNull())
      .execute()
  },
}
