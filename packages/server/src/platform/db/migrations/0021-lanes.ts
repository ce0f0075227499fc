import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Nullable: a version that knows one lane only writes rows without it, and takes up those that have it. */
export const lanes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('videos').addColumn('lane', 'text').execute()
  },
}
