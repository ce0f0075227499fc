import type { Db } from '../../platform/db/database.ts'
import { diskBytes, roomBytes } from './video-bytes.ts'

export interface LibraryUsage {
  readonly videos: number
  /** On disk, of originals and masters. */
  readonly videoBytes: number
  /** What counts against the plan's room, as the user reads it. */
  readonly roomBytes: number
}

/** How much there is, for the operator: by owner, of all of them or of one. */
export async function usageByOwner(db: Db, ownerId: string | null = null): Promise<Map<string, LibraryUsage>> {
  const rows = await db
    .selectFrom('videos')
    .select((eb) => ['user_id', eb.fn.countAll<string | number>().as('videos')])
    .select(diskBytes.as('video_bytes'))
    .select(roomBytes.as('room_bytes'))
    .$if(ownerId !== null, (query) => query.where('user_id', '=', ownerId ?? ''))
    .groupBy('user_id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.user_id,
      { videos: Number(row.videos), videoBytes: Number(row.video_bytes), roomBytes: Number(row.room_bytes ?? 0) },
    ]),
  )
}
