import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A program that is started again within the hour still knows that its clock has jumped. */
export const doubtedClocks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('schedule_clocks').addColumn('doubted_at', 'bigint').execute()
  },
}
