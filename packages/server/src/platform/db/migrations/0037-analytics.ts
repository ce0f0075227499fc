import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What was on air, for how long and how well. */
export const analytics: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await addLives(db, isPostgres)
    await addFigures(db, isPostgres)
    await db.schema
      .createTable('stat_places')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('stat_reports')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('is_on', 'integer', (column) => column.notNull())
      .addColumn('zone', 'text', (column) => column.notNull())
      .addColumn('last_month', 'text')
      .execute()
  },
}

/** Without 'autoincrement' SQLite would give the number of a stream that is gone to another one, with its figures. */
const numbered = (db: Kysely<unknown>, table: string, isPostgres: boolean) =>
  isPostgres
    ? db.schema.createTable(table).addColumn('id', 'serial', (column) => column.primaryKey())
    : db.schema.createTable(table).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())

async function addLives(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  await numbered(db, 'stat_streams', isPostgres)
    .addColumn('stream_id', 'text', (column) => column.notNull().unique())
    .addColumn('broadcast_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('target_name', 'text')
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('known_from', 'bigint', (column) => column.notNull())
    .addColumn('first_live_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('end_reason', 'text')
    .addColumn('end_cause', 'text')
    .addColumn('seen_at', 'bigint')
    .addColumn('schedule_id', 'text')
    .addColumn('schedule_title', 'text')
    .addColumn('schedule_due_at', 'bigint')
    .execute()
  await db.schema.createIndex('stat_streams_user').on('stat_streams').columns(['user_id', 'asked_at']).execute()
  await db.schema.createIndex('stat_streams_broadcast').on('stat_streams').column('broadcast_id').execute()
  await sql`create index stat_streams_wanted on stat_streams (user_id) where ended_at is null`.execute(db)
  await numbered(db, 'stat_spans', isPostgres)
    .addColumn('stream_no', 'integer', (column) => column.notNull().references('stat_streams.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('began_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('reason', 'text')
    .addColumn('planned', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('outcome', 'text')
    .execute()
  await db.schema.createIndex('stat_spans_stream').on('stat_spans').columns(['stream_no', 'began_at']).execute()
  // Whatever happens: a stream is in one state at a time.
  await sql`create unique index stat_spans_open on stat_spans (stream_no) where ended_at is null`.execute(db)
}

/**
 * What is written all the time stands in the order of time: then a look at five hundred streams changes a few pages and not five hundred,
 * and what is old lies together. It names no stream by a foreign key: the deletion of a stream would search through all of it. Its rows go
 * by their age, and nobody finds a figure but by the number of a stream.
 */
async function addFigures(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  const clustered = <T extends string>(table: CreateTableBuilder<T, never>) =>
    isPostgres ? table : table.modifyEnd(sql`without rowid`)
  const small = isPostgres ? 'int2' : 'integer'
  const key = (table: string) =>
    db.schema
      .createTable(table)
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('stream_no', 'integer', (column) => column.notNull())
  await clustered(
    key('stat_samples')
      .addColumn('kbps', 'integer')
      .addColumn('unsent_kb', 'integer', (column) => column.notNull())
      .addColumn('state', sql.raw(small), (column) => column.notNull())
      .addColumn('fps', sql.raw(small))
      .addColumn('speed', sql.raw(small))
      .addPrimaryKeyConstraint('stat_samples_key', ['at', 'stream_no']) as never,
  ).execute()
  for (const table of ['stat_minutes', 'stat_hours']) {
    const isHours = table === 'stat_hours'
    const columns = key(table)
      .addColumn('kbps', 'integer')
      .addColumn('kbps_min', 'integer')
      .addColumn('kbps_max', 'integer')
      .addColumn('unsent_kb', 'integer', (column) => column.notNull())
      .addColumn('samples', sql.raw(small), (column) => column.notNull())
      .addColumn('live', sql.raw(small), (column) => column.notNull())
      .addColumn('measured', sql.raw(small), (column) => column.notNull())
      .addColumn('fps', sql.raw(small))
      .addColumn('speed', sql.raw(small))
      .addPrimaryKeyConstraint(`${table}_key`, isHours ? ['stream_no', 'at'] : ['at', 'stream_no'])
    const whole = isHours
      ? columns.addForeignKeyConstraint('stat_hours_stream', ['stream_no'], 'stat_streams', ['id'], (constraint) =>
          constraint.onDelete('cascade'),
        )
      : columns
    await clustered(whole as never).execute()
  }
}
