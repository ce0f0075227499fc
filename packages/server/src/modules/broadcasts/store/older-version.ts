import { type RawBuilder, sql } from 'kysely'
import { atomically, type Db } from '../../../platform/db/database.ts'
import { videoUses } from '../../library/video-uses.repo.ts'

/**
 * The version before (0.2) has one table for what is wanted and for where it goes. An operator may go back to it and come again, so it is
 * told of each change, and followed at each start. To be dropped with its columns of `streams`, one version later.
 */

/** In the transaction of a change of `broadcasts`. `which`: of the streams. */
export async function tellOlderVersion(inside: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update streams set (desired, end_cause, video_id, next_video_id, source) = (
      select broadcasts.desired, broadcasts.end_cause, broadcasts.video_id, broadcasts.next_video_id, broadcasts.source
      from broadcasts where broadcasts.id = streams.broadcast_id)
    where ${which}`.execute(inside)
}

/** Takes over what it has started, changed and ended meanwhile. */
export async function followOlderVersion(db: Db): Promise<void> {
  await atomically(db, async (inside) => {
    await sql`
      insert into broadcasts (id, user_id, title, source, source_kind, source_sealed, source_finite, source_account_id,
        looping, slot, desired, end_cause, created_at, ended_at, video_id, next_video_id, fallback_video_id)
      select id, user_id, title, source, source_kind, source_sealed, source_finite, source_account_id, looping, slot,
        desired, end_cause, created_at, case when phase = 'ended' then coalesce(ended_at, created_at) end,
        video_id, next_video_id, fallback_video_id
      from streams where broadcast_id is null`.execute(inside)
    await sql`update streams set broadcast_id = id where broadcast_id is null`.execute(inside)
    await sql`
      update broadcasts set (desired, end_cause, video_id, next_video_id, source) = (
        select streams.desired, streams.end_cause, streams.video_id, streams.next_video_id, streams.source
        from streams where streams.id = broadcasts.id)
      where ended_at is null and exists (select 1 from streams where streams.id = broadcasts.id)`.execute(inside)
    await sql`
      update broadcasts set ended_at = (
        select coalesce(max(streams.ended_at), broadcasts.created_at) from streams
        where streams.broadcast_id = broadcasts.id)
      where ended_at is null and not exists (
        select 1 from streams where streams.broadcast_id = broadcasts.id and phase <> 'ended')`.execute(inside)
  })
  await followUses(db)
}

/** It knows of no uses of videos either. */
async function followUses(db: Db): Promise<void> {
  // In this order: a broadcast that is started meanwhile has written its uses itself.
  const users = await videoUses(db).users()
  const wanted = await db
    .selectFrom('broadcasts')
    .select(['id', 'user_id', 'video_id', 'next_video_id', 'fallback_video_id'])
    .where('ended_at', 'is', null)
    .execute()
  const wantedIds = new Set(wanted.map(({ id }) => id))
  for (const { id, userId } of users) if (!wantedIds.has(id)) await videoUses(db).replace(id, userId, [])
  for (const { id, user_id, video_id, next_video_id, fallback_video_id } of wanted) {
    await videoUses(db).replace(id, user_id, [video_id, next_video_id, fallback_video_id])
  }
}
