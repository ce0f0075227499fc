import type { Kysely } from 'kysely'

/** Browsers that each account has been used with, and when a session last proved its password. */
export const knownDevices = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('known_devices')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('token_hash', 'text', (column) => column.notNull())
      .addColumn('trusted_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('known_devices_token')
      .on('known_devices')
      .columns(['user_id', 'token_hash'])
      .unique()
      .execute()
    await db.schema.alterTable('sessions').addColumn('device_id', 'text').execute()
    await db.schema.alterTable('sessions').addColumn('confirmed_at', 'bigint').execute()
  },
}
