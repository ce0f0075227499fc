import { atomically, type Db } from '../../../platform/db/database.ts'
import { keepVideosOf } from './stream-videos.ts'
import { isWanted } from './wanted-streams.ts'

/** What somebody wants of a stream that a worker keeps, perhaps on another machine: written down here, read there. */
export const streamWishes = (db: Db) => ({
  /** `cause`: where it is not its owner who wants it. */
  async askStop(id: string, cause: string | null = null): Promise<void> {
    await db
      .updateTable('streams')
      .set({ desired: 'stopped', ...(cause === null ? {} : { end_cause: cause }) })
      .where('id', '=', id)
      .execute()
  },
  /** Those whose end was asked for and who may go on after all. */
  async revokeEndOf(userId: string): Promise<void> {
    await db
      .updateTable('streams')
      .set({ desired: 'live', end_cause: null })
      .where('user_id', '=', userId)
      .where('desired', '=', 'ending')
      .where(isWanted)
      .execute()
  },
  /** Whose broadcasts are wanted, and may have to stop. */
  async usersOnAir(): Promise<string[]> {
    const rows = await db
      .selectFrom('streams')
      .select('user_id')
      .distinct()
      .where('desired', '<>', 'stopped')
      .where(isWanted)
      .execute()
    return rows.map((row) => row.user_id)
  },
  async hasWanted(userId: string): Promise<boolean> {
    const row = await db
      .selectFrom('streams')
      .select('id')
      .where('user_id', '=', userId)
      .where(isWanted)
      .executeTakeFirst()
    return row !== undefined
  },
  async usersWithEnding(): Promise<string[]> {
    const rows = await db
      .selectFrom('streams')
      .select('user_id')
      .distinct()
      .where('desired', '=', 'ending')
      .where(isWanted)
      .execute()
    return rows.map((row) => row.user_id)
  },
  /** Of all that a user has under way; 'ending': at the end of the pass. */
  async askEndOf(userId: string, desired: 'stopped' | 'ending', cause: string): Promise<void> {
    await db
      .updateTable('streams')
      .set({ desired, end_cause: cause })
      .where('user_id', '=', userId)
      .where('desired', '<>', 'stopped')
      .where(isWanted)
      .execute()
  },
  async askSwap(id: string, videoId: string): Promise<void> {
    await atomically(db, async (inside) => {
      const row = await inside
        .updateTable('streams')
        .set({ next_video_id: videoId })
        .where('id', '=', id)
        .returning(['id', 'user_id', 'phase', 'video_id', 'next_video_id', 'fallback_video_id'])
        .executeTakeFirst()
      if (row) await keepVideosOf(inside, row)
    })
  },
  async swapAskedOf(worker: string): Promise<string[]> {
    const rows = await db
      .selectFrom('streams')
      .select('id')
      .where('worker', '=', worker)
      .where('next_video_id', 'is not', null)
      .where(isWanted)
      .execute()
    return rows.map((row) => row.id)
  },
  /** What is to be ended, at once or at the end of its pass. */
  async endAskedOf(worker: string): Promise<{ id: string; desired: string; end_cause: string | null }[]> {
    return db
      .selectFrom('streams')
      .select(['id', 'desired', 'end_cause'])
      .where('worker', '=', worker)
      .where('desired', '<>', 'live')
      .where(isWanted)
      .execute()
  },
})
