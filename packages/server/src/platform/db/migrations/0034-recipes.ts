import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A video may have further renditions. What is still to be made stands in a table of its own: the version before knows no other recipe than
 * 'as-is', leaves what is ready alone, and clears everything else of `renditions` away.
 */
export const recipes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('rendition_orders')
      .addColumn('video_id', 'text', (column) => column.notNull().references('videos.id').onDelete('cascade'))
      .addColumn('recipe', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('progress', 'integer')
      .addColumn('seconds_left', 'integer')
      .addColumn('reason', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('rendition_orders_key', ['video_id', 'recipe'])
      .execute()
    await db.schema.alterTable('playlists').addColumn('recipe', 'text').execute()
    for (const name of ['recipe', 'position_recipe']) {
      await db.schema.alterTable('streams').addColumn(name, 'text').execute()
    }
  },
}
