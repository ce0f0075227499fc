import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Addresses that are told what happens, and each event on its way to one of them. */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    await createEndpoints(db)
    await createDeliveries(db)
    const on = (name: string) => db.schema.createIndex(`webhook_deliveries_${name}`).on('webhook_deliveries')
    await on('log').columns(['endpoint_id', 'created_at', 'id']).execute()
    // For the deletion of an account, and of what is old.
    await on('user').column('user_id').execute()
    await on('created').column('created_at').execute()
    // What is over is in neither of these: they stay as small as the queue is.
    await sql`create index webhook_deliveries_due on webhook_deliveries (due_at, endpoint_id) where due_at is not null`.execute(
      db,
    )
    await sql`create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, subject, fact_id) where state = 'waiting'`.execute(
      db,
    )
    await sql`create index webhook_deliveries_finished on webhook_deliveries (endpoint_id, finished_at) where finished_at is not null`.execute(
      db,
    )
  },
}

async function createEndpoints(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('url_sealed', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('secret_sealed', 'text', (column) => column.notNull())
    .addColumn('old_secret_sealed', 'text')
    .addColumn('old_secret_until', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('active'))
    .addColumn('state_reason', 'text')
    .addColumn('failing_since', 'bigint')
    .addColumn('dropped', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('after_fact', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('webhook_endpoints_user')
    .on('webhook_endpoints')
    .columns(['user_id', 'created_at', 'id'])
    .execute()
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('endpoint_id', 'text', (column) =>
      column.notNull().references('webhook_endpoints.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('fact_id', 'bigint')
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('in_order', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('since_at', 'bigint', (column) => column.notNull())
    .addColumn('tried_at', 'bigint')
    .addColumn('status', 'integer')
    .addColumn('result', 'text')
    .addColumn('duration_ms', 'integer')
    .addColumn('answer', 'text')
    .addColumn('finished_at', 'bigint')
    // However often a fact were read: each endpoint is told once.
    .addUniqueConstraint('webhook_deliveries_fact', ['endpoint_id', 'fact_id'])
    .execute()
}
