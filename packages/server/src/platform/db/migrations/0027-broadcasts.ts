import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What is wanted (`broadcasts`) is told apart from where it goes (`streams`). Each stream of today becomes a broadcast with the same id. The
 * columns stay in `streams` too, for the version before.
 */
export const broadcasts: Migration = {
  async up(db: Kysely<unknown>) {
    const video = (table: ReturnType<typeof newTable>, name: string) =>
      table.addColumn(name, 'text', (column) => column.references('videos.id').onDelete('set null'))
    const newTable = () =>
      db.schema
        .createTable('broadcasts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('title', 'text')
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('source_kind', 'text', (column) => column.notNull().defaultTo('video'))
        .addColumn('source_sealed', 'text')
        .addColumn('source_finite', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('source_account_id', 'text')
        .addColumn('looping', 'integer', (column) => column.notNull())
        .addColumn('slot', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('desired', 'text', (column) => column.notNull())
        .addColumn('end_cause', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
    await ['video_id', 'next_video_id', 'fallback_video_id'].reduce(video, newTable()).execute()
    await sql`
      insert into broadcasts (id, user_id, title, source, source_kind, source_sealed, source_finite, source_account_id,
        looping, slot, desired, end_cause, created_at, ended_at, video_id, next_video_id, fallback_video_id)
      select id, user_id, title, source, source_kind, source_sealed, source_finite, source_account_id, looping, slot,
        desired, end_cause, created_at, case when phase = 'ended' then coalesce(ended_at, created_at) end,
        video_id, next_video_id, fallback_video_id
      from streams`.execute(db)
    await db.schema
      .alterTable('streams')
      .addColumn('broadcast_id', 'text', (column) => column.references('broadcasts.id').onDelete('cascade'))
      .execute()
    await sql`update streams set broadcast_id = id`.execute(db)
    await db.schema.createIndex('streams_broadcast').on('streams').column('broadcast_id').execute()
    await db.schema.createIndex('broadcasts_user').on('broadcasts').columns(['user_id', 'created_at']).execute()
    // However many starts come at once: the database itself gives each place once.
    await sql`create unique index broadcasts_slot on broadcasts (user_id, slot) where ended_at is null`.execute(db)
  },
}
