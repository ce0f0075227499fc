import { type Db, isPostgres } from '../../platform/db/database.ts'

/**
 * Which videos somebody needs. A user of a video writes it down in the transaction of its own row. Where that and a deletion come at the
 * same moment, the database lets one come first and refuses the other with a foreign key.
 */
export const videoUses = (db: Db) => ({
  /** From now on `usedBy` needs these and no others. Null is none, so that columns can be handed over as they are. */
  async replace(usedBy: string, userId: string, videoIds: readonly (string | null)[]): Promise<void> {
    const ids = [...new Set(videoIds.filter((id) => id !== null))]
    await db
      .deleteFrom('video_uses')
      .where('used_by', '=', usedBy)
      .$if(ids.length > 0, (query) => query.where('video_id', 'not in', ids))
      .execute()
    if (ids.length === 0) return
    await db
      .insertInto('video_uses')
      .values(ids.map((id) => ({ video_id: id, used_by: usedBy, user_id: userId })))
      .onConflict((conflict) => conflict.columns(['video_id', 'used_by']).doNothing())
      .execute()
  },
  /** Who uses any video. */
  async users(): Promise<{ id: string; userId: string }[]> {
    return db.selectFrom('video_uses').select(['used_by as id', 'user_id as userId']).distinct().execute()
  },
  async isUsed(videoId: string): Promise<boolean> {
    const row = await db.selectFrom('video_uses').select('used_by').where('video_id', '=', videoId).executeTakeFirst()
    return row !== undefined
  },
  /** Whether a video is there, and stays so until this transaction has ended. SQLite has one writer at a time. */
  async holds(videoId: string): Promise<boolean> {
    const row = await db
      .selectFrom('videos')
      .select('id')
      .where('id', '=', videoId)
      .$if(isPostgres(db), (query) => query.forKeyShare())
      .executeTakeFirst()
    return row !== undefined
  },
  /** The names of videos, by id; one that is gone has none. */
  async filenames(videoIds: readonly (string | null)[]): Promise<Map<string, string>> {
    const ids = [...new Set(videoIds.filter((id) => id !== null))]
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('videos').select(['id', 'filename']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, filename }) => [id, filename]))
  },
})
