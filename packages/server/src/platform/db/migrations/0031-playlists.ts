import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lists of videos, and which item of one a stream plays. To the version before, such a stream loops the video that plays now. */
export const playlists: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('playlists')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('shuffle', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('playlists_user').on('playlists').columns(['user_id', 'created_at', 'id']).execute()
    await db.schema
      .createTable('playlist_items')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('playlist_id', 'text', (column) => column.notNull().references('playlists.id').onDelete('cascade'))
      .addColumn('position', 'double precision', (column) => column.notNull())
      .addColumn('video_id', 'text', (column) => column.references('videos.id').onDelete('cascade'))
      .addColumn('removed_at', 'bigint')
      .execute()
    await db.schema
      .createIndex('playlist_items_order')
      .on('playlist_items')
      .columns(['playlist_id', 'position'])
      .execute()
    await db.schema.createIndex('playlist_items_video').on('playlist_items').column('video_id').execute()
    await addStreamColumns(db)
  },
}

async function addStreamColumns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('streams')
    .addColumn('playlist_id', 'text', (column) => column.references('playlists.id').onDelete('set null'))
    .execute()
  for (const name of ['playlist_start_item', 'playlist_skip', 'position_item_id']) {
    await db.schema.alterTable('streams').addColumn(name, 'text').execute()
  }
  for (const name of ['playlist_asked', 'position_round']) {
    await db.schema
      .alterTable('streams')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  }
  await db.schema.createIndex('streams_playlist').on('streams').column('playlist_id').execute()
}
