import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A broadcast may go to several saved targets: its owner tells their streams apart by name. */
export const targetNames: Migration = {
  async up(db: Kysely<unknown>) {
    for (const name of ['target_id', 'target_name']) {
      await db.schema.alterTable('streams').addColumn(name, 'text').execute()
    }
  },
}
