import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A broadcast may play several videos: its position names which. */
export const sequencePosition: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('streams')
      .addColumn('position_item', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
