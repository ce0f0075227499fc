import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What recordings are played from is worked out once, and kept with them. The version before works it out for each call, and needs none of it. */
export const recordingLines: Migration = {
  async up(db: Kysely<unknown>) {
    const ofRecording = (table: string) =>
      db.schema
        .createTable(table)
        .addColumn('recording_id', 'text', (column) => column.notNull().references('recordings.id').onDelete('cascade'))
    await ofRecording('recording_lines')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('line', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recording_lines_pk', ['recording_id'])
      .execute()
    await ofRecording('recording_chunks')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recording_chunks_pk', ['recording_id', 'version', 'number'])
      .execute()
    await ofRecording('recording_parts')
      .addColumn('parts', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recording_parts_pk', ['recording_id'])
      .execute()
    await db.schema
      .createTable('file_facts')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('clip_key', 'text', (column) => column.notNull())
      .addColumn('frames', 'text')
      .addColumn('likeness', 'text')
      .execute()
    await db.schema.createIndex('file_facts_user').on('file_facts').column('user_id').execute()
    // Which pieces of a stream belong to a recording is told by the index alone.
    await db.schema.createIndex('sent_pieces_time').on('sent_pieces').columns(['stream_id', 'at', 'number']).execute()
  },
}
