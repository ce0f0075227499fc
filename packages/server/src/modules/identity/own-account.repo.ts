import type { Insertable } from 'kysely'
import { type Db, isPostgres } from '../../platform/db/database.ts'
import type { SessionTable } from '../../platform/db/schema.ts'
import { setNewPassword } from './new-password.repo.ts'

interface PasswordChange {
  readonly userId: string
  readonly oldHash: string
  readonly newHash: string
  /** Anyone who knew the old password may know the key. */
  readonly newKey: { api_key_hash: string; api_key_sealed: string }
}

/** What users change about themselves. */
export const ownAccount = (db: Db) => ({
  /** The API key changes, and every session ends; the caller goes on with `session`. False: the password has changed since its check. */
  async changePassword(change: PasswordChange, session: Insertable<SessionTable>, now: number): Promise<boolean> {
    const { newHash, ...rest } = change
    return db.transaction().execute(async (transaction) => {
      const ended = await setNewPassword(transaction, { ...rest, passwordHash: newHash, now })
      if (ended === null) return false
      await transaction.insertInto('sessions').values(session).execute()
      return true
    })
  },
  async changeUsername(userId: string, username: string, usernameKey: string): Promise<void> {
    await db.updateTable('users').set({ username, username_key: usernameKey }).where('id', '=', userId).execute()
  },
  /** From here on nobody gets in, and whatever happens the account goes. */
  async markDeleting(userId: string, now: number): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('users')
        .set({ deleting_at: now })
        .where('id', '=', userId)
        .where('deleting_at', 'is', null)
        .execute()
      await transaction
        .updateTable('sessions')
        .set({ ended_at: now })
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .execute()
    })
  },
  async beingDeleted(): Promise<{ userId: string; since: number }[]> {
    const rows = await db
      .selectFrom('users')
      .select(['id as userId', 'deleting_at as since'])
      .where('deleting_at', 'is not', null)
      .execute()
    return rows.map(({ userId, since }) => ({ userId, since: since ?? 0 }))
  },
  /** With all rows that are the user's. False: `isHeld`, which is asked while nobody can write a row that names the user. */
  async removeUser(userId: string, isHeld: (inside: Db) => Promise<boolean>): Promise<boolean> {
    return db.transaction().execute(async (inside) => {
      // SQLite has one writer at a time.
      if (isPostgres(db)) await inside.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
      if (await isHeld(inside)) return false
      const { numDeletedRows } = await inside
        .deleteFrom('users')
        .where('id', '=', userId)
        .where('deleting_at', 'is not', null)
        .executeTakeFirst()
      return numDeletedRows > 0n
    })
  },
})
