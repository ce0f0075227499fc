import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { videoUses } from '../../library/video-uses.repo.ts'
import { tellOlderVersion } from './older-version.ts'
import type { NamedStreamRow, StreamRow } from './stream-rows.ts'

/** In the transaction that changes it: a broadcast that is wanted keeps its videos from being deleted, one that has ended does not. */
export async function keepVideosOf(inside: Db, broadcastId: string): Promise<void> {
  const broadcast = await inside
    .selectFrom('broadcasts')
    .select(['user_id', 'ended_at', 'video_id', 'next_video_id', 'fallback_video_id'])
    .where('id', '=', broadcastId)
    .executeTakeFirst()
  if (!broadcast) return
  const { user_id, ended_at, video_id, next_video_id, fallback_video_id } = broadcast
  const needed = ended_at === null ? [video_id, next_video_id, fallback_video_id] : []
  await videoUses(inside).replace(broadcastId, user_id, needed)
}

/** The video that was asked for plays now. Yet another one may have been asked for meanwhile, and this one been deleted since. */
export async function noteSwap(
  inside: Db,
  broadcastId: string,
  { videoId, filename }: { readonly videoId: string; readonly filename: string },
): Promise<void> {
  await inside
    .updateTable('broadcasts')
    .set({
      video_id: (await videoUses(inside).holds(videoId)) ? videoId : null,
      // Of a playlist its name stays.
      source: sql<string>`case when exists (
        select 1 from streams where streams.broadcast_id = broadcasts.id and streams.playlist_id is not null
      ) then source else ${filename} end`,
      next_video_id: sql<string | null>`case when next_video_id = ${videoId} then null else next_video_id end`,
    })
    .where('id', '=', broadcastId)
    .execute()
  await tellOlderVersion(inside, sql`broadcast_id = ${broadcastId}`)
}

/** With the names of its other videos. */
export async function withNames(db: Db, rows: readonly StreamRow[]): Promise<NamedStreamRow[]> {
  const names = await videoUses(db).filenames(rows.flatMap((row) => [row.next_video_id, row.fallback_video_id]))
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null))
  return rows.map((row) => ({
    ...row,
    next_source: nameOf(row.next_video_id),
    fallback_source: nameOf(row.fallback_video_id),
  }))
}
