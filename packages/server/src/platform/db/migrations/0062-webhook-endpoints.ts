import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For what is asked of one endpoint: what is due there, and when something last arrived. Without them, all of its user's rows were looked through. */
export const webhookEndpoints: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index webhook_deliveries_next on webhook_deliveries (endpoint_id, due_at) where due_at is not null`.execute(
      db,
    )
    await sql`create index webhook_deliveries_arrived on webhook_deliveries (endpoint_id, finished_at) where state = 'delivered'`.execute(
      db,
    )
  },
}
