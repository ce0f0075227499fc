import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { videoUses } from '../../library/video-uses.repo.ts'
import type { NamedStreamRow, NewStream, StreamRow } from './stream-rows.ts'
import { isWanted } from './wanted-streams.ts'

/** In the transaction that changes it: a broadcast that is wanted keeps its videos from being deleted, one that has ended does not. */
export async function keepVideosOf(inside: Db, broadcastId: string): Promise<void> {
  const broadcast = await inside
    .selectFrom('broadcasts')
    .select(['user_id', 'ended_at', 'video_id', 'next_video_id', 'fallback_video_id'])
    .where('id', '=', broadcastId)
    .executeTakeFirst()
  if (!broadcast) return
  const { user_id, ended_at, video_id, next_video_id, fallback_video_id } = broadcast
  const needed =
    ended_at === null ? [video_id, next_video_id, fallback_video_id, ...(await played(inside, broadcastId))] : []
  await videoUses(inside).replace(broadcastId, user_id, needed)
}

/** In the transaction that inserts it: nothing is kept for it yet. */
export async function keepVideosOfNew(
  inside: Db,
  { id, user_id, ...broadcast }: Pick<NewStream, 'id' | 'user_id' | 'video_id' | 'next_video_id' | 'fallback_video_id'>,
): Promise<void> {
  const needed = [broadcast.video_id, broadcast.next_video_id, broadcast.fallback_video_id].filter(
    (video) => video != null,
  )
  await videoUses(inside).add([...new Set(needed)].map((video_id) => ({ video_id, used_by: id, user_id })))
}

/** While its streams change their video one by one, some play what the broadcast names no more. */
async function played(inside: Db, broadcastId: string): Promise<(string | null)[]> {
  const streams = await inside
    .selectFrom('streams')
    .select(['video_id', 'next_video_id'])
    .where('broadcast_id', '=', broadcastId)
    .where(isWanted)
    .execute()
  return streams.flatMap(({ video_id, next_video_id }) => [video_id, next_video_id])
}

/** The video that was asked for plays now. Yet another one may have been asked for meanwhile, and this one been deleted since. */
export async function noteSwap(
  inside: Db,
  streamId: string,
  { videoId, filename }: { readonly videoId: string; readonly filename: string },
): Promise<void> {
  await inside
    .updateTable('streams')
    .set({
      video_id: (await videoUses(inside).holds(videoId)) ? videoId : null,
      // A playlist keeps its name.
      source: sql<string>`case when playlist_id is null then ${filename} else source end`,
      next_video_id: sql<string | null>`case when next_video_id = ${videoId} then null else next_video_id end`,
    })
    .where('id', '=', streamId)
    .execute()
}

/** A broadcast plays what its streams play: the video before until the last of them has changed, and nothing more is asked for then. */
async function followStreams(inside: Db, broadcastId: string): Promise<void> {
  const wanted = sql`streams.broadcast_id = ${broadcastId} and streams.phase <> 'ended'`
  await sql`
    update broadcasts set (video_id, source) = (
      select streams.video_id, streams.source from streams where ${wanted} order by streams.created_at, streams.id limit 1)
    where id = ${broadcastId} and exists (select 1 from streams where ${wanted})
      and not exists (select 1 from streams where ${wanted} and streams.video_id = broadcasts.video_id)`.execute(inside)
  await sql`
    update broadcasts set next_video_id = null
    where id = ${broadcastId} and next_video_id is not null and exists (select 1 from streams where ${wanted})
      and not exists (select 1 from streams where ${wanted} and streams.next_video_id is not null)`.execute(inside)
}

/** In the transaction of a stream that has changed its video, or has ended. */
export async function settleVideos(inside: Db, broadcastId: string): Promise<void> {
  await followStreams(inside, broadcastId)
  await keepVideosOf(inside, broadcastId)
}

/** With the names of its other videos. */
export async function withNames(db: Db, rows: readonly StreamRow[]): Promise<NamedStreamRow[]> {
  const names = await videoUses(db).filenames(rows.flatMap((row) => [row.next_video_id, row.fallback_video_id]))
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null))
  return rows.map((row) => ({
    ...row,
    // What plays is asked for only until another one is withdrawn.
    next_source: nameOf(row.next_video_id === row.video_id ? null : row.next_video_id),
    fallback_source: nameOf(row.fallback_video_id),
  }))
}
