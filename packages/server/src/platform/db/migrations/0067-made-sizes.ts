import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For the room that videos take, replaced renditions included: `renditions_sizes` knows only those that are ready. */
export const madeSizes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index renditions_made on renditions (video_id, bytes) where state <> 'preparing'`.execute(db)
  },
}
