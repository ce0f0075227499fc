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
    // The version before goes on reading these columns of `videos`, where this one has to be left again. SQLite gives a column that is
    // there no default, so another one takes its place.
    await db.schema
      .alterTable('videos')
      .addColumn('master_size', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update videos set master_size = master_bytes`.execute(db)
    await db.schema.alterTable('videos').dropColumn('master_bytes').execute()
    await db.schema.alterTable('videos').renameColumn('master_size', 'master_bytes').execute()
  },
}
