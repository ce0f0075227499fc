import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Spelled out, not a parameter: only then do the indexes of wanted streams serve, however long the history gets. */
export const isWanted = sql<boolean>`phase <> 'ended'`
/** The same for the indexes of those that are over. */
export const hasEnded = sql<boolean>`phase = 'ended'`

export const wantedStreamIds = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('streams').select('id').where(isWanted).execute()).map(({ id }) => id)

/** Targets of a broadcast may come and go for years: of those that are over the last, newest first. */
export const lastEnded = (db: Db, broadcastId: string, most: number) =>
  db
    .selectFrom('streams')
    .where('broadcast_id', '=', broadcastId)
    .where(hasEnded)
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)

export async function countWantedBroadcastsOf(db: Db, userId: string): Promise<number> {
  const own = db.selectFrom('streams').select('broadcast_id').distinct().where('user_id', '=', userId).where(isWanted)
  return (await own.execute()).length
}
