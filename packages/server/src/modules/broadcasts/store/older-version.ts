import { sql } from 'kysely'
import { atomically, type Db } from '../../../platform/db/database.ts'
import { videoUses } from '../../library/video-uses.repo.ts'
import { keepPlaces } from './broadcast-end.ts'
import { followFormerName } from './former-name.ts'
import { keepVideosOf } from './stream-videos.ts'

/**
 * The version before (0.2) has one table for what is wanted and for where it goes. An operator may go back to it and come again, so its
 * columns are written along, and it is followed at each start. To be dropped with those columns of `streams`, one version later.
 */

/** Takes over what it has started, changed and ended meanwhile. What it has ended comes first: its places may have been given anew. */
export async function followOlderVersion(db: Db, worker: string): Promise<void> {
  await atomically(db, async (inside) => {
    await sql`
      update broadcasts set ended_at = (
        select coalesce(max(streams.ended_at), broadcasts.created_at) from streams
        where streams.broadcast_id = broadcasts.id)
      where ended_at is null and not exists (
        select 1 from streams where streams.broadcast_id = broadcasts.id and phase <> 'ended')`.execute(inside)
    await keepPlaces(inside, sql`ended_at is null`)
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
      where ended_at is null and exists (select 1 from streams where streams.id = broadcasts.id)
        and not exists (
          select 1 from streams where streams.broadcast_id = broadcasts.id and streams.id <> broadcasts.id)`.execute(
      inside,
    )
  })
  await followUses(db)
  await followFormerName(db, worker)
}

/** It knows of no uses of videos either. */
async function followUses(db: Db): Promise<void> {
  // In this order: a broadcast that is started meanwhile has written its uses itself.
  const users = await videoUses(db).users()
  const wanted = await db.selectFrom('broadcasts').select('id').where('ended_at', 'is', null).execute()
  const wantedIds = new Set(wanted.map(({ id }) => id))
  for (const { id, userId } of users) if (!wantedIds.has(id)) await videoUses(db).replace(id, userId, [])
  for (const { id } of wanted) await atomically(db, (inside) => keepVideosOf(inside, id))
}
