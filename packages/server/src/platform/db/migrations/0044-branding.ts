import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A workspace's brand, and each way in which it was put on a video. The version before knows none of it: a recipe that names a look is
 * none that it can make, and it leaves what is ready alone.
 */
export const branding: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('brand_kits')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('logo_key', 'text')
      .addColumn('logo_hash', 'text')
      .addColumn('logo_width', 'integer')
      .addColumn('logo_height', 'integer')
      .addColumn('text', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('colours', 'text')
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('brand_looks')
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('look', 'text', (column) => column.notNull())
      .addColumn('logo_key', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('brand_looks_pk', ['user_id', 'id'])
      .execute()
  },
}
