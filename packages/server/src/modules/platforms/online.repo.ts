import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { OnlineSourceTable } from '../../platform/db/schema.ts'

export type OnlineSourceRow = Selectable<OnlineSourceTable>
export type OnlineRepo = ReturnType<typeof createOnlineRepo>

/** A preview's address carries it: no longer than it must be. */
const KEY_MARK_LENGTH = 16

export function createOnlineRepo(db: Db) {
  const own = (userId: string) => db.selectFrom('online_sources').where('user_id', '=', userId)

  return {
    async insert(source: OnlineSourceRow): Promise<void> {
      await db.insertInto('online_sources').values(source).execute()
    },
    async ofUser(userId: string): Promise<OnlineSourceRow[]> {
      return own(userId).selectAll().orderBy('created_at').orderBy('id').execute()
    },
    async byMark(userId: string, mark: string): Promise<OnlineSourceRow | null> {
      return (await own(userId).selectAll().where('url_mark', '=', mark).executeTakeFirst()) ?? null
    },
    /** Tells one API key of a user from the next, and nothing else about it; null: nobody may get in with any. */
    async keyMark(userId: string): Promise<string | null> {
      const row = await db
        .selectFrom('users')
        .select('api_key_hash')
        .where('id', '=', userId)
        .where('deleting_at', 'is', null)
        .executeTakeFirst()
      return row?.api_key_hash.slice(0, KEY_MARK_LENGTH) ?? null
    },
    async count(userId: string): Promise<number> {
      const row = await own(userId)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },
    async remove(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('online_sources')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
