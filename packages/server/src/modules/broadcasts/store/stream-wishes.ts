import type { Db } from '../../../platform/db/database.ts'
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
    await db.updateTable('streams').set({ next_video_id: videoId }).where('id', '=', id).execute()
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
