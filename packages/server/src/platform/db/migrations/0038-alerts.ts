import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What people are told, where, and what became of each message. */
export const alerts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('alert_settings')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('alert_incidents')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('alert_incidents_user').on('alert_incidents').column('user_id').execute()
    await db.schema.createIndex('alert_incidents_updated').on('alert_incidents').column('updated_at').execute()
    await sql`create index alert_incidents_due on alert_incidents (due_at) where due_at is not null`.execute(db)
    await createAlerts(db)
    await createChannels(db)
    await createDeliveries(db)
  },
}

function numbered(db: Kysely<unknown>, name: string) {
  const table = db.schema.createTable(name)
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? table.addColumn('id', 'bigserial', (column) => column.primaryKey())
    : // Without 'autoincrement' SQLite would give the number of a row again that was cleared.
      table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
}

async function createAlerts(db: Kysely<unknown>): Promise<void> {
  await numbered(db, 'alerts')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('topic', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('in_app', 'integer', (column) => column.notNull())
    .addColumn('read_at', 'bigint')
    .execute()
  await db.schema.createIndex('alerts_user').on('alerts').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('alerts_created').on('alerts').column('created_at').execute()
}

async function createChannels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_channels')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('destination_sealed', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint')
    .addColumn('last_ok', 'integer')
    .addColumn('last_answer', 'text')
    .addColumn('due_at', 'bigint')
    .addColumn('retry_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .addColumn('claims', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('hour_from', 'bigint')
    .addColumn('hour_count', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('is_crowded', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('alert_channels_user').on('alert_channels').column('user_id').execute()
  await sql`create index alert_channels_due on alert_channels (due_at) where due_at is not null`.execute(db)
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await numbered(db, 'alert_deliveries')
    .addColumn('alert_id', 'bigint', (column) => column.notNull().references('alerts.id').onDelete('cascade'))
    .addColumn('channel_id', 'text', (column) => column.notNull().references('alert_channels.id').onDelete('cascade'))
    .addColumn('topic', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('is_held', 'integer', (column) => column.notNull())
    .addColumn('bundle', 'text')
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('done_at', 'bigint')
    // However often a fact is taken: nobody is told twice.
    .addUniqueConstraint('alert_deliveries_once', ['alert_id', 'channel_id'])
    .execute()
  await db.schema.createIndex('alert_deliveries_channel').on('alert_deliveries').column('channel_id').execute()
  // What is done is never asked for by this one.
  await sql`create index alert_deliveries_waiting on alert_deliveries (channel_id, id) where state = 'waiting'`.execute(
    db,
  )
}
