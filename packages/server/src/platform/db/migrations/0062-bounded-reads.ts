import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * For what is asked of one endpoint (what is due there, and when something last arrived) and for what is still to be made of videos. Without
 * them, all that somebody waits for was looked through, or all videos of everybody.
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
  },
}
