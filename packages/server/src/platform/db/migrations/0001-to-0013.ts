import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The migrations of version 0.1, in one file. */
export const firstMigrations: Record<string, Migration> = {
  '0001-identity': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('users')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('username', 'text', (column) => column.notNull())
        .addColumn('username_key', 'text', (column) => column.notNull().unique())
        .addColumn('email', 'text', (column) => column.notNull().unique())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('api_key_hash', 'text', (column) => column.notNull().unique())
        .addColumn('api_key_sealed', 'text', (column) => column.notNull())
        .addColumn('credit', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('sessions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('token_hash', 'text', (column) => column.notNull().unique())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('device', 'text', (column) => column.notNull())
        .execute()
      await db.schema.createIndex('sessions_user').on('sessions').columns(['user_id', 'created_at']).execute()
      await db.schema
        .createTable('activity')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('device', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema.createIndex('activity_user').on('activity').columns(['user_id', 'at']).execute()
    },
  },
  '0002-library': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('videos')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('filename', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('step', 'text')
        .addColumn('progress', 'integer')
        .addColumn('seconds_left', 'integer')
        .addColumn('reason', 'text')
        .addColumn('warning', 'text')
        .addColumn('original_key', 'text')
        .addColumn('original_bytes', 'bigint', (column) => column.notNull())
        .addColumn('master_key', 'text')
        .addColumn('master_bytes', 'bigint', (column) => column.notNull())
        .addColumn('thumbnail_key', 'text')
        .addColumn('content_type', 'text', (column) => column.notNull())
        .addColumn('import_url_sealed', 'text')
        .addColumn('duration_ms', 'bigint')
        .addColumn('width', 'integer')
        .addColumn('height', 'integer')
        .addColumn('fps', 'double precision')
        .addColumn('video_codec', 'text')
        .addColumn('audio_codec', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('videos_user_filename', ['user_id', 'filename'])
        .execute()
      await db.schema.createIndex('videos_user').on('videos').columns(['user_id', 'created_at']).execute()
    },
  },
  '0003-streams': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('streams')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('video_id', 'text', (column) => column.references('videos.id').onDelete('set null'))
        .addColumn('next_video_id', 'text', (column) => column.references('videos.id').onDelete('set null'))
        .addColumn('position_ms', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('position_from_ms', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('platform', 'text', (column) => column.notNull())
        .addColumn('title', 'text')
        .addColumn('target_sealed', 'text', (column) => column.notNull())
        .addColumn('target_host', 'text', (column) => column.notNull())
        .addColumn('target_mark', 'text', (column) => column.notNull())
        .addColumn('looping', 'integer', (column) => column.notNull())
        .addColumn('desired', 'text', (column) => column.notNull())
        .addColumn('phase', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('restarts', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('epoch', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('worker', 'text')
        .addColumn('pid', 'integer')
        .addColumn('pid_birth', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('live_since', 'bigint')
        .addColumn('on_air_ms', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('bitrate_kbps', 'double precision')
        .addColumn('speed', 'double precision')
        .addColumn('frames', 'bigint')
        .addColumn('ended_at', 'bigint')
        .execute()
      await db.schema
        .createTable('stream_events')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('stream_id', 'text', (column) => column.notNull().references('streams.id').onDelete('cascade'))
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('off_air_ms', 'bigint')
        .execute()
      await db.schema.createIndex('stream_events_stream').on('stream_events').columns(['stream_id', 'at']).execute()
      await db.schema.createIndex('streams_user').on('streams').columns(['user_id', 'created_at']).execute()
      await db.schema.createIndex('streams_phase').on('streams').columns(['phase', 'worker']).execute()
      // Two publishers on one key throw each other off air: the database itself allows one.
      await sql`create unique index streams_target on streams (target_mark) where phase <> 'ended'`.execute(db)
    },
  },
  '0004-workers': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('workers')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('room', 'integer', (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .execute()
      await sql`create index streams_wanted on streams (worker) where phase <> 'ended'`.execute(db)
    },
  },
  '0005-articles': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('article_views')
        .addColumn('slug', 'text', (column) => column.primaryKey())
        .addColumn('views', 'integer', (column) => column.notNull())
        .execute()
    },
  },
  '0006-accounts': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('activity').addColumn('detail', 'text').execute()
      await db.schema
        .createTable('platform_accounts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('platform', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('credential_sealed', 'text', (column) => column.notNull())
        .addColumn('credential_mark', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('platform_accounts_credential', ['user_id', 'platform', 'credential_mark'])
        .execute()
    },
  },
  '0007-online-sources': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('online_sources')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('url_sealed', 'text', (column) => column.notNull())
        .addColumn('url_mark', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('online_sources_url', ['user_id', 'url_mark'])
        .execute()
      await db.schema
        .createTable('platform_broadcasts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('token_sealed', 'text', (column) => column.notNull())
        .addColumn('broadcast_id', 'text', (column) => column.notNull())
        .addColumn('target_mark', 'text', (column) => column.notNull())
        .addColumn('stream_id', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('next_try_at', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('ended_at', 'bigint')
        .execute()
      await sql`create index platform_broadcasts_open on platform_broadcasts (next_try_at) where ended_at is null`.execute(
        db,
      )
      for (const column of ['source_sealed', 'source_account_id', 'fallback_video_id', 'note']) {
        await db.schema.alterTable('streams').addColumn(column, 'text').execute()
      }
      await db.schema
        .alterTable('streams')
        .addColumn('source_kind', 'text', (column) => column.notNull().defaultTo('video'))
        .execute()
      await db.schema
        .alterTable('streams')
        .addColumn('source_finite', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await db.schema
        .alterTable('streams')
        .addColumn('on_fallback', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  },
  '0008-plans': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('users')
        .addColumn('plan', 'text', (column) => column.notNull().defaultTo('free-trial'))
        .execute()
      for (const column of [
        'plan_since',
        'plan_until',
        'suspended_at',
        'videos_deleted_at',
        'ended_seen_at',
      ] as const) {
        await db.schema.alterTable('users').addColumn(column, 'bigint').execute()
      }
      // The trial of those who are here already begins now: an update throws nobody off air.
      await sql`update users set plan_since = ${Date.now()}`.execute(db)
      await db.schema
        .alterTable('streams')
        .addColumn('slot', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await db.schema.alterTable('streams').addColumn('end_cause', 'text').execute()
      await sql`
        update streams set slot = (
          select count(*) from streams as other
          where other.user_id = streams.user_id and other.phase <> 'ended' and other.id < streams.id
        )`.execute(db)
      // However many starts come at once: the database itself gives each place once.
      await sql`create unique index streams_slot on streams (user_id, slot) where phase <> 'ended'`.execute(db)
    },
  },
  '0009-originals': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('users').addColumn('deleting_at', 'bigint').execute()
      await sql`create index users_deleting on users (deleting_at) where deleting_at is not null`.execute(db)
      await db.schema.alterTable('videos').addColumn('original_height', 'integer').execute()
      await db.schema.alterTable('videos').addColumn('original_fps', 'double precision').execute()
      // What is broadcast as it came is its own original; what the others had is found out when they are next prepared.
      await sql`
        update videos set original_fps = fps, original_height = case when width < height then width else height end
        where master_key = original_key`.execute(db)
    },
  },
  '0010-stand-in-videos': {
    async up(db: Kysely<unknown>) {
      // SQLite lets a column refer to another table only if it is made so: this one takes the other's place.
      await db.schema
        .alterTable('streams')
        .addColumn('stand_in_id', 'text', (column) => column.references('videos.id').onDelete('set null'))
        .execute()
      await sql`
        update streams set stand_in_id = fallback_video_id where fallback_video_id in (select id from videos)`.execute(
        db,
      )
      await db.schema.alterTable('streams').dropColumn('fallback_video_id').execute()
      await db.schema.alterTable('streams').renameColumn('stand_in_id', 'fallback_video_id').execute()
    },
  },
  '0011-worker-shortage': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('workers').addColumn('short_of', 'text').execute()
    },
  },
  '0012-suspension-reason': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('users').addColumn('suspended_for', 'text').execute()
    },
  },
  '0013-watched-endings': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('users').addColumn('ended_checked_at', 'bigint').execute()
    },
  },
}
