import { type Insertable, sql } from 'kysely'
import { type Db, isPostgres } from '../../platform/db/database.ts'
import { deleteDeep, readSchema } from '../../platform/db/delete-deep.ts'
import type { VideoUseTable } from '../../platform/db/tables/video-uses.ts'

type VideoUse = Insertable<VideoUseTable>

const USES_AT_ONCE = 100
const LENGTHS_AT_ONCE = 500
/** A playlist uses its videos as `playlist:<id>`, a recording as `recording:<id>`, a broadcast by its id alone. */
const LISTED = 'playlist:%'
const RECORDED = 'recording:%'

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
  /** Besides what is needed already. */
  async add(uses: readonly VideoUse[]): Promise<void> {
    for (let from = 0; from < uses.length; from += USES_AT_ONCE) {
      await db
        .insertInto('video_uses')
        .values(uses.slice(from, from + USES_AT_ONCE))
        .onConflict((conflict) => conflict.columns(['video_id', 'used_by']).doNothing())
        .execute()
    }
  },
  /** One of them is not needed any more. */
  async release(usedBy: string, videoId: string): Promise<void> {
    await db.deleteFrom('video_uses').where('video_id', '=', videoId).where('used_by', '=', usedBy).execute()
  },
  /** Which broadcasts use any video. */
  async users(): Promise<{ id: string; userId: string }[]> {
    return db
      .selectFrom('video_uses')
      .select(['used_by as id', 'user_id as userId'])
      .where('used_by', 'not like', LISTED)
      .where('used_by', 'not like', RECORDED)
      .distinct()
      .execute()
  },
  /** Those of them that use any video. */
  async usersAmong(users: readonly string[]): Promise<ReadonlySet<string>> {
    if (users.length === 0) return new Set()
    const rows = await db.selectFrom('video_uses').select('used_by').distinct().where('used_by', 'in', users).execute()
    return new Set(rows.map(({ used_by }) => used_by))
  },
  /** By a broadcast. */
  isOnAir: async (videoId: string): Promise<boolean> => (await usesOnAir(db, videoId).executeTakeFirst()) !== undefined,
  /** The broadcasts that use it. */
  broadcastsWith: async (videoId: string): Promise<string[]> =>
    (await usesOnAir(db, videoId).execute()).map(({ used_by }) => used_by),
  isUsed: (videoId: string): Promise<boolean> => isUsedAs(db, videoId, '%'),
  isListed: (videoId: string): Promise<boolean> => isUsedAs(db, videoId, LISTED),
  isRecorded: (videoId: string): Promise<boolean> => isUsedAs(db, videoId, RECORDED),
  /** The lists of a user keep no video any more: for the end of a plan, which takes all that is not on air. */
  forgetLists: (userId: string): Promise<void> => forget(db, userId, LISTED),
  /** The same of recordings, for the deletion of an account. */
  forgetRecordings: (userId: string): Promise<void> => forget(db, userId, RECORDED),
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
  /** How long videos last, in milliseconds, by id; one whose length is not known has none. */
  async lengths(videoIds: readonly (string | null)[]): Promise<Map<string, number>> {
    const ids = [...new Set(videoIds.filter((id) => id !== null))]
    const lengths = new Map<string, number>()
    for (let from = 0; from < ids.length; from += LENGTHS_AT_ONCE) {
      const some = ids.slice(from, from + LENGTHS_AT_ONCE)
      const rows = await db.selectFrom('videos').select(['id', 'duration_ms']).where('id', 'in', some).execute()
      for (const { id, duration_ms } of rows) if (duration_ms !== null) lengths.set(id, duration_ms)
    }
    return lengths
  },
  /** The names of videos, by id; one that is gone has none. */
  async filenames(videoIds: readonly (string | null)[]): Promise<Map<string, string>> {
    const ids = [...new Set(videoIds.filter((id) => id !== null))]
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('videos').select(['id', 'filename']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, filename }) => [id, filename]))
  },
})

const usesOnAir = (db: Db, videoId: string) =>
  db
    .selectFrom('video_uses')
    .select('used_by')
    .where('video_id', '=', videoId)
    .where('used_by', 'not like', LISTED)
    .where('used_by', 'not like', RECORDED)

/** A hundred lists of five hundred videos have fifty thousand: they go in small batches. */
async function forget(db: Db, userId: string, kind: string): Promise<void> {
  const where = sql`user_id = ${userId} and used_by like ${kind}`
  await deleteDeep(db, await readSchema(db), { table: 'video_uses', where })
}

async function isUsedAs(db: Db, videoId: string, kind: string): Promise<boolean> {
  const row = await db
    .selectFrom('video_uses')
    .select('used_by')
    .where('video_id', '=', videoId)
    .where('used_by', 'like', kind)
    .executeTakeFirst()
  return row !== undefined
}
