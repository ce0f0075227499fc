import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What is cleared by age is found without reading the whole table. */
export const oldRows: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('sessions_created').on('sessions').column('created_at').execute()
    await db.schema.createIndex('activity_at').on('activity').column('at').execute()
    await db.schema.createIndex('stream_events_at').on('stream_events').column('at').execute()
  },
}
