import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For what is asked of one user's queue: what is due of it, and the oldest that waits. What is over is in neither. */
export const webhookTurns: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index webhook_deliveries_turns on webhook_deliveries (user_id, due_at) where due_at is not null`.execute(
      db,
    )
    await sql`create index webhook_deliveries_oldest on webhook_deliveries (user_id, fact_id) where state = 'waiting'`.execute(
      db,
    )
  },
}
