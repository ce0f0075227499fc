import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { VideoTable } from '../../platform/db/schema.ts'

export type VideoRow = Selectable<VideoTable>
export type LibraryRepo = ReturnType<typeof createLibraryRepo>

export function createLibraryRepo(db: Db) {
  return {
    async insert(video: Insertable<VideoTable>): Promise<void> {
      await db.insertInto('videos').values(video).execute()
    },
    async markReady(id: string): Promise<void> {
      await db.updateTable('videos').set({ status: 'ready', reason: null }).where('id', '=', id).execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('videos').where('id', '=', id).execute()
    },
    async byId(id: string): Promise<VideoRow | null> {
      return (await db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },
    async byFilename(userId: string, filename: string): Promise<VideoRow | null> {
      const row = await db
        .selectFrom('videos')
        .selectAll()
        .where('user_id', '=', userId)
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
    async filenamesOf(userId: string): Promise<Set<string>> {
      const rows = await db.selectFrom('videos').select('filename').where('user_id', '=', userId).execute()
      return new Set(rows.map((row) => row.filename))
    },
    async unfinished(before: number): Promise<VideoRow[]> {
      return db
        .selectFrom('videos')
        .selectAll()
        .where('status', '=', 'processing')
        .where('created_at', '<=', before)
        .execute()
    },
  }
}
