import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Targets of a broadcast come and go for as long as it is on air. Its begin stands in a row of its own: else the page of broadcasts looked
 * through all streams of its days for the first one of each. Streams that are there already are taken in after the start (`listed`), as are
 * those that an older version adds.
 */
export const statBroadcasts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('stat_broadcasts')
      .addColumn('broadcast_id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .execute()
    await sql`create index stat_broadcasts_user on stat_broadcasts (user_id, asked_at, broadcast_id)`.execute(db)
    await sql`create index stat_broadcasts_old on stat_broadcasts (asked_at)`.execute(db)
    await db.schema.alterTable('stat_streams').addColumn('listed', 'integer').execute()
    await sql`create index stat_streams_unlisted on stat_streams (user_id, asked_at, id) where listed is null`.execute(
      db,
    )
    // For what was wanted at some moment: a stream that lasted for at most so long was asked for at most so long before.
    await sql`
      create index stat_streams_lengths on stat_streams (user_id, (
        case when ended_at - asked_at < 60000 then 0
          when ended_at - asked_at < 600000 then 1
          when ended_at - asked_at < 3600000 then 2
          when ended_at - asked_at < 21600000 then 3
          when ended_at - asked_at < 86400000 then 4
          when ended_at - asked_at < 604800000 then 5
          when ended_at - asked_at < 2592000000 then 6
          when ended_at - asked_at < 15552000000 then 7
          else 8 end), asked_at, ended_at) where ended_at is not null`.execute(db)
    // The streams of a broadcast in pages. SQLite has their numbers in every index.
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
    await sql`drop index stat_streams_broadcast`.execute(db)
    await sql`create index stat_streams_broadcast on stat_streams (broadcast_id, id)`.execute(db)
  },
}
