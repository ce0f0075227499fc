import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Who uses a video. A video that has such a row cannot be deleted: its reference has no action, and so the database refuses the
 * deletion, also one at the same moment. The user's own reference is there for the end of an account, which takes all of it at once.
 */
export const videoUses: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('video_uses')
      .addColumn('video_id', 'text', (column) => column.notNull().references('videos.id'))
      .addColumn('used_by', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('video_uses_key', ['video_id', 'used_by'])
      .execute()
    await db.schema.createIndex('video_uses_used_by').on('video_uses').column('used_by').execute()
    await db.schema.createIndex('video_uses_user').on('video_uses').column('user_id').execute()
    await sql`
      insert into video_uses (video_id, used_by, user_id)
      select video_id, id, user_id from streams where phase <> 'ended' and video_id in (select id from videos)
      union select next_video_id, id, user_id from streams
        where phase <> 'ended' and next_video_id in (select id from videos)
      union select fallback_video_id, id, user_id from streams
        where phase <> 'ended' and fallback_video_id in (select id from videos)`.execute(db)
  },
}
