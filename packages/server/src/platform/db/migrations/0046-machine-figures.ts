import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How each machine fares, of several. Narrow, since it is written all the time. The version before knows nothing of it. */
export const machineFigures: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('machine_figures')
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('cpu', 'double precision', (column) => column.notNull())
      .addColumn('memory_total', 'bigint', (column) => column.notNull())
      .addColumn('memory_used', 'bigint', (column) => column.notNull())
      .addColumn('disk_size', 'bigint', (column) => column.notNull())
      .addColumn('disk_used', 'bigint', (column) => column.notNull())
      .addColumn('disk_available', 'bigint', (column) => column.notNull())
      .addColumn('streams', 'integer', (column) => column.notNull())
      .addColumn('room', 'integer', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('machine_figures_pk', ['id', 'role'])
      .execute()
  },
}
