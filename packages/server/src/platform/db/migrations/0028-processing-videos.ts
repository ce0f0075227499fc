import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** While somebody waits for a video, what is being prepared is read every second: a library of many ready videos must not slow that down. */
export const processingVideos: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index videos_processing on videos (created_at) where status = 'processing'`.execute(db)
  },
}
