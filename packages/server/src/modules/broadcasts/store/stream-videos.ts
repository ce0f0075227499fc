import type { Insertable, Selectable } from 'kysely'
import { atomically, type Db } from '../../../platform/db/database.ts'
import type { StreamTable } from '../../../platform/db/schema.ts'
import { videoUses } from '../../library/video-uses.repo.ts'
import { isWanted } from './wanted-streams.ts'

export type StreamRow = Selectable<StreamTable>
export type NamedStreamRow = StreamRow & { next_source: string | null; fallback_source: string | null }

type VideosOf = Pick<
  Insertable<StreamTable>,
  'id' | 'user_id' | 'phase' | 'video_id' | 'next_video_id' | 'fallback_video_id'
>

/** In the transaction that writes the row: a stream that is wanted keeps its videos from being deleted, one that has ended does not. */
export const keepVideosOf = (inside: Db, stream: VideosOf): Promise<void> =>
  videoUses(inside).replace(
    stream.id,
    stream.user_id,
    stream.phase === 'ended'
      ? []
      : [stream.video_id ?? null, stream.next_video_id ?? null, stream.fallback_video_id ?? null],
  )

/** The columns of a swap that has come. Yet another video may have been asked for meanwhile, and this one been deleted since. */
export async function swapColumns(inside: Db, { videoId, filename }: { videoId: string; filename: string }) {
  return { video_id: (await videoUses(inside).holds(videoId)) ? videoId : null, source: filename }
}

/** The version before knows of no uses: what it has started or ended meanwhile is made up for. */
export async function followOlderVersion(db: Db): Promise<void> {
  // In this order: a stream that is started meanwhile has written its uses itself.
  const users = await videoUses(db).users()
  const wanted = await db.selectFrom('streams').selectAll().where(isWanted).execute()
  const wantedIds = new Set(wanted.map(({ id }) => id))
  for (const { id, userId } of users) if (!wantedIds.has(id)) await videoUses(db).replace(id, userId, [])
  for (const stream of wanted) await atomically(db, (inside) => keepVideosOf(inside, stream))
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
