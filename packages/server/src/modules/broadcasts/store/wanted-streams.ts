import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Spelled out, not a parameter: only then do the indexes of wanted streams serve, however long the history gets. */
export const isWanted = sql<boolean>`phase <> 'ended'`

export async function countWantedBroadcastsOf(db: Db, userId: string): Promise<number> {
  const own = db.selectFrom('streams').select('broadcast_id').distinct().where('user_id', '=', userId).where(isWanted)
  return (await own.execute()).length
}
