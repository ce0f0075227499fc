import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { loseName } from '../../../platform/db/delete-deep.ts'

/** What is wanted keeps what it names: nothing of it may be deleted. */
const ENDED = [
  { table: 'streams', where: sql`phase = 'ended'` },
  { table: 'broadcasts', where: sql`ended_at is not null` },
] as const
const VIDEO_COLUMNS = ['video_id', 'next_video_id', 'fallback_video_id']

/**
 * For what is about to be deleted: takes its name out of all that has ended, in small batches. A video may have been broadcast a hundred
 * thousand times, and with its row all of that would be changed in one statement.
 */
export const endedNames = (db: Db) => ({
  async leaveVideo(id: string): Promise<void> {
    for (const { table, where } of ENDED) {
      for (const column of VIDEO_COLUMNS) await loseName(db, { table, column, id, where })
    }
  },
  async leavePlaylist(id: string): Promise<void> {
    const [{ table, where }] = ENDED
    await loseName(db, { table, column: 'playlist_id', id, where })
  },
})
