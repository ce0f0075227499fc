import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * For what is asked of one endpoint (what is due there, and when something last arrived), for what is still to be made of videos, for the
 * room that they take, and for what was last on air. Without them all that somebody has was looked through, or all videos of everybody.
 */
export const boundedReads: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index webhook_deliveries_next on webhook_deliveries (endpoint_id, due_at) where due_at is not null`.execute(
      db,
    )
    await sql`create index webhook_deliveries_arrived on webhook_deliveries (endpoint_id, finished_at) where state = 'delivered'`.execute(
      db,
    )
    await sql`create index rendition_orders_open on rendition_orders (created_at, video_id) where state <> 'failed'`.execute(
      db,
    )
    // Wide rows of which only the size is asked for.
    await sql`create index renditions_sizes on renditions (video_id, bytes) where state = 'ready'`.execute(db)
    await sql`create index broadcasts_ended on broadcasts (user_id, ended_at) where ended_at is not null`.execute(db)
  },
}
