import type { AccountKind } from '@siarin/contracts/accounts'
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { PlatformAccountTable } from '../../platform/db/tables/platforms.ts'
import { addWithin } from '../identity/user-lock.ts'

export type AccountRow = Selectable<PlatformAccountTable>
export type AccountsRepo = ReturnType<typeof createAccountsRepo>

export async function countAccountsOf(db: Db, workspaceId: string): Promise<number> {
  const own = db.selectFrom('platform_accounts').where('user_id', '=', workspaceId)
  const row = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirst()
  return Number(row?.count ?? 0)
}

export function createAccountsRepo(db: Db) {
  const own = (workspaceId: string, kind: AccountKind, inside = db) =>
    inside.selectFrom('platform_accounts').where('user_id', '=', workspaceId).where('platform', '=', kind)

  return {
    /** False: there are as many of its kind as there may be. */
    insertWithin(account: AccountRow, most: number): Promise<boolean> {
      const { user_id: userId, platform } = account
      const count = async (locked: Db) =>
        (
          await own(userId, platform as AccountKind, locked)
            .select('id')
            .execute()
        ).length
      return addWithin(db, { userId, most, count }, (locked) =>
        locked.insertInto('platform_accounts').values(account).execute(),
      )
    },
    async ofUser(workspaceId: string, kind: AccountKind): Promise<AccountRow[]> {
      return own(workspaceId, kind).selectAll().orderBy('created_at').orderBy('id').execute()
    },
    async byId(workspaceId: string, kind: AccountKind, id: string): Promise<AccountRow | null> {
      return (await own(workspaceId, kind).selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },
    async hasCredential(workspaceId: string, kind: AccountKind, mark: string): Promise<boolean> {
      return (
        (await own(workspaceId, kind).select('id').where('credential_mark', '=', mark).executeTakeFirst()) !== undefined
      )
    },
    async count(workspaceId: string, kind: AccountKind): Promise<number> {
      const row = await own(workspaceId, kind)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },
    /** Answers what was there, or null when there was nothing. */
    async remove(workspaceId: string, kind: AccountKind, id: string): Promise<AccountRow | null> {
      const row = await db
        .deleteFrom('platform_accounts')
        .where('id', '=', id)
        .where('user_id', '=', workspaceId)
        .where('platform', '=', kind)
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },
  }
}
