import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Db, isForeignKeyViolation } from '../../platform/db/database.ts'
import type { VideoTable } from '../../platform/db/schema.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import { type Lane, laneOf } from './lanes.ts'
import { videoUses } from './video-uses.repo.ts'

export type VideoRow = Selectable<VideoTable>
/** Where all files of a video lie. */
export const folderOf = ({ user_id, id }: Pick<VideoRow, 'user_id' | 'id'>): string => `${user_id}/${id}/`

export type LibraryRepo = ReturnType<typeof createLibraryRepo>

/** What videos take of their owner's room: each once, by its larger file. */
export const roomBytes = sql<
  string | number | null
>`sum(case when master_bytes > original_bytes then master_bytes else original_bytes end)`

export function createLibraryRepo(db: Db) {
  const processingOf = (userId: string) =>
    db
      .selectFrom('videos')
      .selectAll()
      .where('user_id', '=', userId)
      .where('status', '=', 'processing')
      .orderBy('created_at')
      .orderBy('id')

  return {
    async insert(video: Insertable<VideoTable>): Promise<void> {
      await db.insertInto('videos').values(video).execute()
    },
    /** Its bytes were on their way and are a video's from now on: at no moment do they count twice, or not at all. */
    async insertArrived(video: Insertable<VideoTable>, reservationId: string): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.insertInto('videos').values(video).execute()
        await transaction.deleteFrom('upload_reservations').where('id', '=', reservationId).execute()
      })
    },
    /** False when the video was deleted meanwhile. */
    async updateArrived(id: string, change: Updateable<VideoTable>): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const result = await transaction.updateTable('videos').set(change).where('id', '=', id).executeTakeFirst()
        await transaction.deleteFrom('upload_reservations').where('id', '=', id).execute()
        return result.numUpdatedRows > 0n
      })
    },
    /** False: as many wait already. */
    async insertImport(video: Insertable<VideoTable>, mostWaiting: number): Promise<boolean> {
      return withUserLocked(db, video.user_id, async (locked) => {
        const row = await locked
          .selectFrom('videos')
          .select((eb) => eb.fn.countAll<string | number>().as('count'))
          .where('user_id', '=', video.user_id)
          .where('status', '=', 'processing')
          .where('step', '=', 'importing')
          .executeTakeFirst()
        if (Number(row?.count ?? 0) >= mostWaiting) return false
        await locked.insertInto('videos').values(video).execute()
        return true
      })
    },
    /** False when the video was deleted meanwhile. */
    async update(id: string, change: Updateable<VideoTable>): Promise<boolean> {
      const result = await db.updateTable('videos').set(change).where('id', '=', id).executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    /**
     * False when it was gone already, or when somebody uses it. Of a use and a deletion at the same moment one comes first: a use that
     * could not be seen yet is what the foreign key is for.
     */
    async remove(id: string): Promise<boolean> {
      try {
        const { numDeletedRows } = await db
          .deleteFrom('videos')
          .where('id', '=', id)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('video_uses').select('used_by').where('video_id', '=', id))),
          )
          .executeTakeFirst()
        return numDeletedRows > 0n
      } catch (error) {
        if (isForeignKeyViolation(error)) return false
        throw error
      }
    },
    isUsed: videoUses(db).isUsed,
    async byId(id: string): Promise<VideoRow | null> {
      return (await db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },
    async byFilename(workspaceId: string, filename: string): Promise<VideoRow | null> {
      const row = await db
        .selectFrom('videos')
        .selectAll()
        .where('user_id', '=', workspaceId)
        .where('filename', '=', filename)
        .executeTakeFirst()
      return row ?? null
    },
    async ofUser(userId: string): Promise<VideoRow[]> {
      return db
        .selectFrom('videos')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
    },
    /** When the newest of all videos was written down; 0: there is none. */
    async newestAt(): Promise<number> {
      const row = await db
        .selectFrom('videos')
        .select(({ fn }) => fn.max('created_at').as('at'))
        .executeTakeFirst()
      return Number(row?.at ?? 0)
    },
    async idsOf(userId: string): Promise<Set<string>> {
      const rows = await db.selectFrom('videos').select('id').where('user_id', '=', userId).execute()
      return new Set(rows.map((row) => row.id))
    },
    /** Everybody who has videos. */
    async owners(): Promise<string[]> {
      const rows = await db.selectFrom('videos').select('user_id').distinct().execute()
      return rows.map((row) => row.user_id)
    },
    async filenamesOf(userId: string): Promise<Set<string>> {
      const rows = await db.selectFrom('videos').select('filename').where('user_id', '=', userId).execute()
      return new Set(rows.map((row) => row.filename))
    },
    /** What was made of a video does not count beside it, unless it is larger: its owner sees one video. */
    async usedBytes(userId: string): Promise<number> {
      const row = await db
        .selectFrom('videos')
        .select(roomBytes.as('bytes'))
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return Number(row?.bytes ?? 0)
    },
    /** What is still to be prepared, oldest first. */
    async preparationsOf(userId: string, lane: Lane): Promise<VideoRow[]> {
      const rows = await processingOf(userId).where('step', 'is distinct from', 'importing').execute()
      return rows.filter((row) => laneOf(row) === lane)
    },
    /** What is still to be fetched, oldest first. */
    async importsOf(userId: string, limit: number): Promise<VideoRow[]> {
      return processingOf(userId)
        .where('step', '=', 'importing')
        .where('import_url_sealed', 'is not', null)
        .limit(limit)
        .execute()
    },
    async unfinished(before: number): Promise<VideoRow[]> {
      return db
        .selectFrom('videos')
        .selectAll()
        .where('status', '=', 'processing')
        .where('created_at', '<=', before)
        .orderBy('created_at')
        .execute()
    },
  }
}
