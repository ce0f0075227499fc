import type { Kysely } from 'kysely'

/** Links that are sent by e-mail, or made by the operator: to verify an address, or to choose a new password. */
export const mailLinks = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('users').addColumn('email_verified_at', 'bigint').execute()
    await db.schema
      .createTable('mail_links')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('mail_links_user').on('mail_links').columns(['user_id', 'kind']).execute()
  },
}
