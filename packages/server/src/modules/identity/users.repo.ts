import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { UserTable } from '../../platform/db/schema.ts'
import type { SessionRef } from './caller.ts'
import { isOpen } from './sessions.repo.ts'
import { withUserLocked } from './user-lock.ts'

export type UserRow = Selectable<UserTable>
type NewApiKey = Pick<UserRow, 'api_key_hash' | 'api_key_sealed'>

/** Addresses of previews and pictures carry it: no longer than it must be. */
const KEY_MARK_LENGTH = 16

/** The rows of users, by each of the names that they are known by, and their API keys. */
export const users = (db: Db) => ({
  async insertUser(user: Insertable<UserTable>): Promise<void> {
    await db.insertInto('users').values(user).execute()
  },
  async userById(id: string): Promise<UserRow | null> {
    return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  },
  /** As the person is called. */
  async usernameOf(id: string): Promise<string> {
    const row = await db.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst()
    return row?.username ?? ''
  },
  /** Null: nobody has shown that the address is theirs, or the account is being deleted. */
  async verifiedEmailOf(id: string): Promise<string | null> {
    const row = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', id)
      .where('email_verified_at', 'is not', null)
      .where('deleting_at', 'is', null)
      .executeTakeFirst()
    return row?.email ?? null
  },
  async userByEmail(email: string): Promise<UserRow | null> {
    return (await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()) ?? null
  },
  /** Tells one API key of a user from the next, and nothing else about it; null: nobody may get in with any. */
  async keyMarkOf(userId: string): Promise<string | null> {
    const row = await db
      .selectFrom('users')
      .select('api_key_hash')
      .where('id', '=', userId)
      .where('deleting_at', 'is', null)
      .executeTakeFirst()
    return row?.api_key_hash.slice(0, KEY_MARK_LENGTH) ?? null
  },
  async isUsernameTaken(usernameKey: string): Promise<boolean> {
    const row = await db.selectFrom('users').select('id').where('username_key', '=', usernameKey).executeTakeFirst()
    return row !== undefined
  },
  /**
   * False: the session that asks has ended meanwhile, say with a new password, whose key a session that was sent away must not replace.
   */
  async changeApiKey(caller: SessionRef, key: NewApiKey): Promise<boolean> {
    return withUserLocked(db, caller.userId, async (locked) => {
      if (!(await isOpen(locked, caller))) return false
      await locked.updateTable('users').set(key).where('id', '=', caller.userId).execute()
      return true
    })
  },
})
