import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * For thousands of streams of many machines, so of PostgreSQL alone. The figures of each change every two seconds: with room beside its row,
 * that touches no index. Each worker asks every second for streams that nobody has: there are seldom any, and the index holds only those.
 */
export const manyStreams: Migration = {
  async up(db: Kysely<unknown>) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
    await sql`alter table streams set (fillfactor = 50)`.execute(db)
    await sql`create index streams_free on streams (created_at, id) where worker is null and phase <> 'ended'`.execute(
      db,
    )
  },
}
