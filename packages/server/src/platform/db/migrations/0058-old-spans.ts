import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Spans go a year after their end. Without an index that begins with it, the database looked through those of everybody, for each batch. What
 * lasts has no end and is not in it.
 */
export const oldSpans: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index stat_spans_old on stat_spans (ended_at) where ended_at is not null`.execute(db)
  },
}
