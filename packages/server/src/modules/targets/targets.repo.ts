import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TargetTable } from '../../platform/db/tables/targets.ts'
import { addWithin } from '../identity/user-lock.ts'

export type TargetRow = Selectable<TargetTable>
export type TargetsRepo = ReturnType<typeof createTargetsRepo>
export type TargetChange = Partial<Omit<TargetRow, 'id' | 'user_id' | 'created_at'>>

export async function countTargetsOf(db: Db, workspaceId: string): Promise<number> {
  const own = db.selectFrom('targets').where('user_id', '=', workspaceId)
  const row = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirst()
  return Number(row?.count ?? 0)
}

export function createTargetsRepo(db: Db) {
  const own = (inside: Db, workspaceId: string) => inside.selectFrom('targets').where('user_id', '=', workspaceId)

  return {
    /** False: there are as many as there may be. */
    insertWithin(target: TargetRow, most: number): Promise<boolean> {
      const { user_id: userId } = target
      const count = (locked: Db) => countTargetsOf(locked, userId)
      return addWithin(db, { userId, most, count }, (locked) => locked.insertInto('targets').values(target).execute())
    },
    /** By name, from behind `after` on. */
    page: (workspaceId: string, { after, limit }: { after: string | null; limit: number }): Promise<TargetRow[]> => {
      const all = own(db, workspaceId).selectAll().orderBy('name_key').limit(limit)
      return (after === null ? all : all.where('name_key', '>', after)).execute()
    },
    async byId(workspaceId: string, id: string): Promise<TargetRow | null> {
      return (await own(db, workspaceId).selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },
    async byIds(workspaceId: string, ids: readonly string[]): Promise<TargetRow[]> {
      return ids.length === 0 ? [] : own(db, workspaceId).selectAll().where('id', 'in', ids).execute()
    },
    /** Null: it is gone, or where it leads to was changed since it was read. */
    async change({ id, user_id, key_sealed }: TargetRow, change: TargetChange): Promise<TargetRow | null> {
      const row = await db
        .updateTable('targets')
        .set(change)
        .where('user_id', '=', user_id)
        .where('id', '=', id)
        // Each change of where it leads to seals the key again, and is made out of the address and the key that were there.
        .$if(change.key_sealed !== undefined, (query) => query.where('key_sealed', '=', key_sealed))
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },
    async noteUse(workspaceId: string, ids: readonly string[], at: number): Promise<void> {
      await db
        .updateTable('targets')
        .set({ last_used_at: at })
        .where('user_id', '=', workspaceId)
        .where('id', 'in', ids)
        .execute()
    },
    /** Not if it was changed since: the result would be another key's. */
    async noteCheck({ id, user_id, key_sealed }: TargetRow, check: { at: number; result: string }): Promise<void> {
      await db
        .updateTable('targets')
        .set({ checked_at: check.at, check_result: check.result })
        .where('user_id', '=', user_id)
        .where('id', '=', id)
        .where('key_sealed', '=', key_sealed)
        .execute()
    },
    /** Answers what was there, or null when there was nothing. */
    async remove(workspaceId: string, id: string): Promise<TargetRow | null> {
      const row = await db
        .deleteFrom('targets')
        .where('user_id', '=', workspaceId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },
  }
}
