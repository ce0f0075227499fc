import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What spans come to, summed when they end: an answer about a year of a line that breaks all day is read from some thousand sums instead of
 * a million spans. Spans that are there already are summed in the background after the start (`counted`).
 */
export const analyticsSums: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await addSums(db, isPostgres)
    for (const [name, value] of [
      ['counted', 0],
      ['times', 1],
    ] as const) {
      await db.schema
        .alterTable('stat_spans')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(value))
        .execute()
    }
    await db.schema.alterTable('stat_spans').addColumn('off_air_ms', 'bigint').execute()
    await db.schema.alterTable('stat_spans').addColumn('user_id', 'text').execute()
    for (const name of ['on_air_ms', 'incidents', 'longest_run_ms']) {
      await db.schema
        .alterTable('stat_streams')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    }
    await sql`create index stat_spans_raw on stat_spans (counted, stream_no, began_at) where counted <> 1`.execute(db)
    await sql`create index stat_spans_user on stat_spans (user_id, began_at) where user_id is not null`.execute(db)
    await db.schema
      .createIndex('stat_streams_ended')
      .on('stat_streams')
      .columns(['user_id', 'ended_at', 'asked_at'])
      .execute()
  },
}

async function addSums(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  const clustered = <T extends string>(table: CreateTableBuilder<T, never>) =>
    isPostgres ? table : table.modifyEnd(sql`without rowid`)
  const sums = db.schema
    .createTable('stat_sums')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('grain', 'integer', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('on_air_ms', 'bigint', (column) => column.notNull())
    .addColumn('off_air_ms', 'bigint', (column) => column.notNull())
    .addColumn('incidents', 'integer', (column) => column.notNull())
    .addColumn('longest_ms', 'bigint', (column) => column.notNull())
    .addColumn('longest_at', 'bigint', (column) => column.notNull())
    .addColumn('longest_no', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('stat_sums_key', ['user_id', 'grain', 'at', 'platform', 'reason'])
  await clustered(sums as never).execute()
  await db.schema.createIndex('stat_sums_at').on('stat_sums').columns(['grain', 'at']).execute()
}
