import type { Db } from '../../platform/db/database.ts'

/** Whether some video has all of its files. One that is still being sent or prepared may not have them yet. */
export async function hasReadyVideo(db: Db): Promise<boolean> {
  const row = await db.selectFrom('videos').select('id').where('status', '=', 'ready').limit(1).executeTakeFirst()
  return row !== undefined
}
