import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { recordingIdOf } from '../../../../src/modules/recordings/recording-ids.ts'
import { DAY_MS, type Filling, type Ids } from '../account.ts'
import { fillRows, groupOf, idAt, idOf, placeIn, plus } from '../fill-rows.ts'
import type { FilledLibrary } from './fill-library.ts'

export interface FilledRecordings {
  readonly broadcasts: Ids
  readonly recordings: Ids
  /** Those that are large, each in another way. */
  readonly large: Readonly<Record<'cut' | 'many' | 'clean' | 'online', string>>
}

/** All that was on air. */
export async function fillBroadcasts(filling: Filling, library: FilledLibrary): Promise<FilledRecordings> {
  const { db, userId, like, amounts, now } = filling
  const broadcasts = { like: randomUUID(), count: amounts.broadcasts }
  const created_at = plus(now - 90 * DAY_MS, 1000)
  const own = { user_id: userId, video_id: null, next_video_id: null, fallback_video_id: null, slot: plus(1_000, 1) }
  await fillRows(db, 'broadcasts', broadcasts.count, {
    ...like.broadcast,
    ...{ ...own, id: idOf(broadcasts.like), created_at, ended_at: plus(now - 89 * DAY_MS, 1000) },
  })
  const stream = { ...like.stream, ...own, playlist_id: null, target_mark: idOf(randomUUID()) }
  await fillRows(db, 'streams', broadcasts.count, {
    ...stream,
    ...{ id: idOf(broadcasts.like), broadcast_id: idOf(broadcasts.like), created_at },
    ended_at: plus(now - 89 * DAY_MS, 1000),
  })
  await fillRows(db, 'stream_events', broadcasts.count * amounts.eventsEach, {
    ...{ id: idOf(randomUUID()), stream_id: idOf(broadcasts.like, groupOf(amounts.eventsEach)), kind: 'lost' },
    ...{ at: plus(now - 90 * DAY_MS, 1000, placeIn(amounts.eventsEach)), reason: 'target-closed', off_air_ms: null },
  })
  const recordings = { like: randomUUID(), count: amounts.recordings }
  await fillRows(db, 'recordings', recordings.count, {
    ...like.recording,
    ...{ id: idOf(recordings.like), user_id: userId, broadcast_id: idOf(broadcasts.like), picture_key: null },
    ...{ from_at: plus(now - 80 * DAY_MS, 1000), to_at: plus(now - 79 * DAY_MS, 1000), kept_until: now + 90 * DAY_MS },
  })
  const large = {
    cut: await fillCut(filling, library, await addRecording(filling, 0)),
    many: await fillMany(filling, library, await addRecording(filling, 1)),
    clean: await fillClean(filling, library, await addRecording(filling, 2)),
    online: await fillOnline(filling, await addRecording(filling, 3)),
  }
  return { broadcasts, recordings, large }
}

interface NewRecording {
  readonly id: string
  readonly broadcastId: string
  readonly from: number
}

async function addRecording({ db, userId, like, amounts, now }: Filling, nth: number): Promise<NewRecording> {
  const broadcastId = randomUUID()
  const from = now - (nth + 2) * DAY_MS
  const ended = { user_id: userId, created_at: from, ended_at: from + amounts.recordingMs }
  const none = { video_id: null, next_video_id: null, fallback_video_id: null, slot: 100 + nth }
  await db
    .insertInto('broadcasts')
    .values({ ...like.broadcast, ...none, ...ended, id: broadcastId, record: 1 })
    .execute()
  const stream = { ...like.stream, ...none, ...ended, id: broadcastId, broadcast_id: broadcastId, record: 1 }
  await db
    .insertInto('streams')
    .values({ ...stream, playlist_id: null, target_mark: randomUUID() })
    .execute()
  const id = recordingIdOf(broadcastId, 1)
  await db
    .insertInto('recordings')
    .values({
      ...{ ...like.recording, id, user_id: userId, broadcast_id: broadcastId, number: 1, from_at: from },
      ...{ to_at: from + amounts.recordingMs, ms: amounts.recordingMs, picture_key: null },
      ...{ kept_until: now + 90 * DAY_MS, online: nth === 3 ? 1 : 0 },
    })
    .execute()
  return { id, broadcastId, from }
}

const piecesOf = ({ like, userId }: Filling, { filenameAt, keyAt, videos }: FilledLibrary, broadcastId: string) => ({
  ...{ ...like.piece, broadcast_id: broadcastId, user_id: userId, video_id: idAt(videos.like, 0), tail_key: null },
  ...{ filename: filenameAt(0), key: keyAt(0), from_ms: 0, out_from_ms: 0 },
})

/** Each of its targets was away for a moment every few seconds, at other moments than the others. */
export async function fillCutPieces(filling: Filling, library: FilledLibrary, { broadcastId, from }: NewRecording) {
  const { db, amounts, like, userId } = filling
  const each = Math.floor(amounts.recordingMs / amounts.cutEveryMs)
  const streams = randomUUID()
  await fillRows(db, 'streams', amounts.cutTargets, {
    ...{
      ...like.stream,
      id: idOf(streams),
      broadcast_id: broadcastId,
      user_id: userId,
      target_mark: idOf(randomUUID()),
    },
    ...{ video_id: null, next_video_id: null, fallback_video_id: null, playlist_id: null, slot: plus(500, 1) },
    created_at: from,
  })
  await fillRows(db, 'sent_pieces', amounts.cutTargets * each, {
    ...piecesOf(filling, library, broadcastId),
    ...{ stream_id: idOf(streams, groupOf(each)), number: plus(1, 1, placeIn(each)), session: idOf(randomUUID()) },
    at: sql`${plus(from, amounts.cutEveryMs, placeIn(each))} + ${plus(0, 37, groupOf(each))}`,
    ...{ reason: 'target-closed', ms: amounts.cutEveryMs - 600 },
  })
}

async function fillCut(filling: Filling, library: FilledLibrary, recording: NewRecording): Promise<string> {
  await fillCutPieces(filling, library, recording)
  return recording.id
}

/** A list of so many videos, one after the other. */
async function fillMany(filling: Filling, library: FilledLibrary, { id, broadcastId, from }: NewRecording) {
  const { db, amounts, userId } = filling
  const { videos } = library
  const count = Math.min(amounts.videosInRecording, videos.count)
  const [before, after] = library.keyAt(0).split(idAt(videos.like, 0))
  const ms = amounts.recordingMs / count
  await fillRows(db, 'sent_pieces', count, {
    ...piecesOf(filling, library, broadcastId),
    ...{ stream_id: broadcastId, number: plus(1, 1), session: 'one', video_id: idOf(videos.like), reason: null },
    ...{ key: sql`cast(${before} as text) || ${idOf(videos.like)} || cast(${after} as text)`, ms },
    at: plus(from, Math.floor(ms)),
  })
  await fillRows(db, 'video_uses', count, {
    ...{ video_id: idOf(videos.like), used_by: `recording:${id}`, user_id: userId },
  })
  return id
}

/** One clip of some seconds, from the first moment to the last. */
async function fillClean(filling: Filling, library: FilledLibrary, { id, broadcastId, from }: NewRecording) {
  await fillRows(filling.db, 'sent_pieces', 1, {
    ...piecesOf(filling, library, broadcastId),
    ...{ stream_id: broadcastId, number: 1, session: 'one', reason: null, looping: 1, at: from },
    ms: filling.amounts.recordingMs,
  })
  return id
}

/** Files that were written beside the broadcast. */
async function fillOnline({ db, amounts, userId }: Filling, { id, from }: NewRecording) {
  await fillRows(db, 'recording_files', amounts.recordedFiles, {
    ...{ recording_id: id, number: plus(1, 1), session: idOf(randomUUID(), groupOf(2)), at: plus(from, 4_000) },
    ...{ ms: 4_000, bytes: 1_000, key: sql`cast(${`${userId}/rekaman/`} as text) || ${idOf(id)}` },
  })
  return id
}
