import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An original may be its own master although its end does not meet its beginning: a list beside it says how they meet. */
export const loopLists: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('renditions').addColumn('loop', 'text').execute()
    await db.schema.alterTable('renditions').addColumn('tail_key', 'text').execute()
  },
}
