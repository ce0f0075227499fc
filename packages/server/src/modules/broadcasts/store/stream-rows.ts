import type { Insertable } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { BroadcastTable, StreamTable } from '../../../platform/db/tables/broadcasts.ts'

export type StreamRow = Awaited<ReturnType<ReturnType<typeof streamRows>['execute']>>[number]
export type NamedStreamRow = StreamRow & { next_source: string | null; fallback_source: string | null }

/** A stream, with what its broadcast is to say. */
export type NewStream = Omit<Insertable<StreamTable>, 'broadcast_id'>

/** Streams, each with what its broadcast says. */
export const streamRows = (db: Db) =>
  db
    .selectFrom('streams')
    .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
    .select(['streams.id', 'platform', 'target_sealed', 'target_host', 'target_mark', 'target_id', 'target_name'])
    .select(['streams.playlist_id', 'playlist_start_item', 'playlist_skip', 'playlist_asked'])
    .select(['position_item_id', 'position_round', 'streams.recipe', 'position_recipe'])
    .select(['position_item', 'position_ms', 'position_from_ms', 'on_fallback', 'note', 'phase', 'state', 'reason'])
    .select(['restarts', 'epoch', 'worker', 'pid', 'pid_birth', 'streams.created_at', 'live_since', 'on_air_ms'])
    .select(['bitrate_kbps', 'speed', 'frames', 'streams.ended_at', 'streams.slot'])
    .select(['streams.desired', 'streams.end_cause', 'streams.source', 'streams.video_id', 'streams.next_video_id'])
    .select(['broadcasts.id as broadcast_id', 'broadcasts.user_id', 'broadcasts.title', 'broadcasts.looping'])
    .select(['broadcasts.source_kind', 'broadcasts.source_sealed', 'broadcasts.source_finite'])
    .select(['broadcasts.source_account_id', 'broadcasts.fallback_video_id', 'streams.record'])

export const broadcastOf = (stream: NewStream): Insertable<BroadcastTable> => ({
  id: stream.id,
  user_id: stream.user_id,
  title: stream.title ?? null,
  source: stream.source,
  source_sealed: stream.source_sealed ?? null,
  source_account_id: stream.source_account_id ?? null,
  ...(stream.source_kind === undefined ? {} : { source_kind: stream.source_kind }),
  ...(stream.source_finite === undefined ? {} : { source_finite: stream.source_finite }),
  ...(stream.slot === undefined ? {} : { slot: stream.slot }),
  video_id: stream.video_id ?? null,
  next_video_id: stream.next_video_id ?? null,
  fallback_video_id: stream.fallback_video_id ?? null,
  looping: stream.looping,
  ...(stream.record === undefined ? {} : { record: stream.record }),
  desired: stream.desired,
  end_cause: stream.end_cause ?? null,
  created_at: stream.created_at,
  ended_at: stream.phase === 'ended' ? (stream.ended_at ?? stream.created_at) : null,
})
