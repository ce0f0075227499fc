import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How chats of Telegram are linked, and the keys of web push. */
export const alertChannels: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('telegram_links')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('bot_id', 'text', (column) => column.notNull())
      .addColumn('bot_name', 'text', (column) => column.notNull())
      .addColumn('code_hash', 'text', (column) => column.notNull().unique())
      .addColumn('token_sealed', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .execute()
    // Each user has one: a new code takes the place of the one before.
    await db.schema.createIndex('telegram_links_user').on('telegram_links').column('user_id').unique().execute()
    await db.schema
      .createTable('telegram_bots')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('next_update', 'bigint', (column) => column.notNull())
      .addColumn('lease_owner', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('problem', 'text')
      .execute()
    await db.schema
      .createTable('push_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('private_sealed', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
