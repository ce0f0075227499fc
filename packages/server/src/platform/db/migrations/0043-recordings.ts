import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a broadcast sent, piece by piece, and the recordings that are made of that. The version before asks for none and writes none. */
export const recordings: Migration = {
  async up(db: Kysely<unknown>) {
    const flag = (table: string, column: string) =>
      db.schema
        .alterTable(table)
        .addColumn(column, 'integer', (added) => added.notNull().defaultTo(0))
        .execute()
    await flag('broadcasts', 'record')
    await flag('streams', 'record')
    await db.schema
      .alterTable('streams')
      .addColumn('sent_ms', 'double precision', (added) => added.notNull().defaultTo(0))
      .execute()
    await createPieces(db)
    await createRecordings(db)
    await createFiles(db)
  },
}

async function createPieces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sent_pieces')
    .addColumn('stream_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('broadcast_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('session', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('video_id', 'text', (column) => column.notNull())
    .addColumn('filename', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('tail_key', 'text')
    .addColumn('list', 'text', (column) => column.notNull())
    .addColumn('looping', 'integer', (column) => column.notNull())
    .addColumn('from_ms', 'double precision', (column) => column.notNull())
    .addColumn('out_from_ms', 'double precision', (column) => column.notNull())
    .addColumn('ms', 'double precision')
    .addPrimaryKeyConstraint('sent_pieces_pk', ['stream_id', 'number'])
    .execute()
  const on = (name: string) => db.schema.createIndex(`sent_pieces_${name}`).on('sent_pieces')
  await on('broadcast').columns(['broadcast_id', 'at']).execute()
  // Whether a master may go, and for the deletion of an account.
  await on('key').column('key').execute()
  await on('user').column('user_id').execute()
}

async function createRecordings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recordings')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('broadcast_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('title', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('online', 'integer', (column) => column.notNull())
    .addColumn('from_at', 'bigint', (column) => column.notNull())
    .addColumn('to_at', 'bigint')
    .addColumn('ended_why', 'text')
    .addColumn('ms', 'double precision', (column) => column.notNull().defaultTo(0))
    .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('interruptions', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('kept_until', 'bigint')
    .addColumn('told_at', 'bigint')
    .addColumn('checked_at', 'bigint')
    .addColumn('removing_at', 'bigint')
    .addColumn('picture_key', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    // However often a fact were read, each part of a broadcast is recorded once.
    .addUniqueConstraint('recordings_part', ['broadcast_id', 'number'])
    .execute()
  await db.schema.createIndex('recordings_user').on('recordings').columns(['user_id', 'from_at', 'id']).execute()
  await db.schema.createIndex('recordings_kept').on('recordings').columns(['kept_until']).execute()
  // Few are being made at any time.
  await sql`create index recordings_open on recordings (from_at) where to_at is null`.execute(db)
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recording_files')
    .addColumn('recording_id', 'text', (column) => column.notNull().references('recordings.id').onDelete('cascade'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('session', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('ms', 'double precision', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recording_files_pk', ['recording_id', 'number'])
    .execute()
}
