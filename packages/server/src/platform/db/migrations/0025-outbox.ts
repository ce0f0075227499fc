import { type Kysely, PostgresAdapter } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What happened, for those who tell others. */
export const outbox: Migration = {
  async up(db: Kysely<unknown>) {
    const table = db.schema.createTable('outbox')
    const numbered =
      db.getExecutor().adapter instanceof PostgresAdapter
        ? table.addColumn('id', 'bigserial', (column) => column.primaryKey())
        : // Without 'autoincrement' SQLite would begin anew once every row has been cleared.
          table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    await numbered
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('subject_kind', 'text', (column) => column.notNull())
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('fact', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .execute()
    // For the reader of one user's facts, and for the deletion of an account.
    await db.schema.createIndex('outbox_user').on('outbox').columns(['user_id', 'id']).execute()
    await db.schema.createIndex('outbox_at').on('outbox').column('at').execute()
  },
}
