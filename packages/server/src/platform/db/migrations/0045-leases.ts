import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Who may keep streams, of several machines. The version before knows `workers` alone: its columns stay as they are, and a worker says there
 * too that it lives.
 */
export const leases: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('worker_leases')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('incarnation', 'text')
      .addColumn('beat_seq', 'bigint', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('boot', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull().defaultTo('up'))
      .addColumn('room', 'integer', (column) => column.notNull())
      .addColumn('max_streams', 'integer', (column) => column.notNull())
      .addColumn('kept', 'integer', (column) => column.notNull())
      .addColumn('cpu', 'double precision', (column) => column.notNull())
      .addColumn('memory', 'double precision', (column) => column.notNull())
      .addColumn('short_of', 'text')
      .addColumn('version', 'text', (column) => column.notNull())
      .execute()
    await db.schema.alterTable('streams').addColumn('handover_to', 'text').execute()
    await db.schema
      .alterTable('streams')
      .addColumn('handover_ready', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('streams').addColumn('standby', 'text').execute()
    await sql`create index streams_handed on streams (handover_to) where handover_to is not null`.execute(db)
    await sql`create index streams_standby on streams (standby) where phase <> 'ended'`.execute(db)
  },
}
