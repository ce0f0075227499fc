import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * By how much each machine's clock was ahead of the database's when it was marked. What it showed says nothing of that later: a clock that is
 * ahead by ten seconds looks right ten seconds after.
 */
export const clockDifferences: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('schedule_clocks').addColumn('ahead_ms', 'bigint').execute()
  },
}
