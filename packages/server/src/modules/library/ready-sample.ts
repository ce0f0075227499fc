import type { Db } from '../../platform/db/database.ts'

/** Whether some video has all of its files. Of one that is still being sent or prepared they may not be there. */
export async function hasReadyVideo(db: Db): Promise<boolean> {
  const row = await db.selectFrom('videos').select('id').where('status', '=', 'ready').limit(1).executeTakeFirst()
  return row !== undefined
}
