import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A video's master becomes a row of its own, under the video's id. Its files stay where they are. */
export const renditions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('renditions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('video_id', 'text', (column) => column.notNull().references('videos.id').onDelete('cascade'))
      .addColumn('recipe', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('thumbnail_key', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('renditions_video').on('renditions').column('video_id').execute()
    // Whatever races: a video never has two masters of one recipe.
    await sql`create unique index renditions_ready on renditions (video_id, recipe) where state = 'ready'`.execute(db)
    await sql`create index renditions_stale on renditions (state) where state <> 'ready'`.execute(db)
    await sql`
      insert into renditions (id, video_id, recipe, key, bytes, content_type, thumbnail_key, state, created_at)
      select id, id, 'as-is', master_key, master_bytes, content_type, thumbnail_key, 'ready', created_at
      from videos where master_key is not null`.execute(db)
    for (const column of ['master_key', 'master_bytes', 'thumbnail_key']) {
      await db.schema.alterTable('videos').dropColumn(column).execute()
    }
  },
}
