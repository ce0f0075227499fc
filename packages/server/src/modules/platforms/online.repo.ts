import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { OnlineSourceTable } from '../../platform/db/tables/platforms.ts'
import { addWithin } from '../identity/user-lock.ts'

export type OnlineSourceRow = Selectable<OnlineSourceTable>
export type OnlineRepo = ReturnType<typeof createOnlineRepo>

export function createOnlineRepo(db: Db) {
  const own = (workspaceId: string, inside = db) =>
    inside.selectFrom('online_sources').where('user_id', '=', workspaceId)

  return {
    /** False: there are as many as there may be. */
    insertWithin(source: OnlineSourceRow, most: number): Promise<boolean> {
      const { user_id: userId } = source
      const count = async (locked: Db) => (await own(userId, locked).select('id').execute()).length
      return addWithin(db, { userId, most, count }, (locked) =>
        locked.insertInto('online_sources').values(source).execute(),
      )
    },
    async ofUser(workspaceId: string): Promise<OnlineSourceRow[]> {
      return own(workspaceId).selectAll().orderBy('created_at').orderBy('id').execute()
    },
    async byMark(workspaceId: string, mark: string): Promise<OnlineSourceRow | null> {
      return (await own(workspaceId).selectAll().where('url_mark', '=', mark).executeTakeFirst()) ?? null
    },
    async count(workspaceId: string): Promise<number> {
      const row = await own(workspaceId)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },
    async remove(workspaceId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('online_sources')
        .where('id', '=', id)
        .where('user_id', '=', workspaceId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
