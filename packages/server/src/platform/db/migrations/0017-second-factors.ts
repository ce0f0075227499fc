import type { Kysely } from 'kysely'

/** An authenticator app beside the password, for those who want it. */
export const secondFactors = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('second_factors')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('secret_sealed', 'text', (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('confirmed_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('recovery_codes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('code_mark', 'text', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .execute()
    await db.schema
      .createIndex('recovery_codes_mark')
      .on('recovery_codes')
      .columns(['user_id', 'code_mark'])
      .unique()
      .execute()
  },
}
