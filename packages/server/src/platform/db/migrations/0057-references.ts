import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const NAMES = ['video_id', 'next_video_id', 'fallback_video_id']

/**
 * For a deletion, the database looks for every row that names what is deleted. Without an index it looked through all streams and broadcasts
 * of everybody, six times for each video. Few rows name a video at any time, and the indexes hold only those.
 */
export const references: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['streams', 'broadcasts']) {
      for (const column of NAMES) {
        await sql`create index ${sql.id(`${table}_${column}`)} on ${sql.id(table)} (${sql.id(column)}) where ${sql.id(column)} is not null`.execute(
          db,
        )
      }
    }
    await sql`create index platform_broadcasts_user on platform_broadcasts (user_id)`.execute(db)
  },
}
