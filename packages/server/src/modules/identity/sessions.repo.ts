import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { SessionTable } from '../../platform/db/schema.ts'
import type { SessionRef } from './caller.ts'

type SessionRow = Selectable<SessionTable>

/** Each user keeps the newest: a script that logs in anew for each call must not fill the table. */
const SESSIONS_KEPT = 200

/** Where users are logged in. */
export const sessions = (db: Db) => ({
  /**
   * False: the password has been changed since it was checked, or the account is on its way out. The user's row is written first, so
   * that a change of the password at this moment waits and ends this session too, or we wait and find the other password.
   */
  async openSession(session: Insertable<SessionTable>, passwordHash: string): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('users')
        .set({ password_hash: passwordHash })
        .where('id', '=', session.user_id)
        .where('password_hash', '=', passwordHash)
        .where('deleting_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await transaction.insertInto('sessions').values(session).execute()
      await transaction
        .deleteFrom('sessions')
        .where('user_id', '=', session.user_id)
        .where('id', 'not in', ({ selectFrom }) =>
          selectFrom('sessions')
            .select('id')
            .where('user_id', '=', session.user_id)
            .orderBy('created_at', 'desc')
            .limit(SESSIONS_KEPT),
        )
        .execute()
      return true
    })
  },
  async touchSession(id: string, now: number): Promise<void> {
    await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
  },
  /** False: the user has no such session, or it had ended. */
  async endSession(userId: string, id: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('sessions')
      .set({ ended_at: now })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async lastLoginAt(userId: string): Promise<number | null> {
    const row = await db
      .selectFrom('sessions')
      .select((eb) => eb.fn.max('created_at').as('at'))
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row?.at ?? null
  },
  /** Where the user is logged in: not ended, used since `usedAfter` and begun since `begunAfter`; last used first. */
  async openSessions(userId: string, usedAfter: number, begunAfter: number, limit: number): Promise<SessionRow[]> {
    return db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .where('last_seen_at', '>', usedAfter)
      .where('created_at', '>', begunAfter)
      .orderBy('last_seen_at', 'desc')
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute()
  },
})

/** Whether the session that asks has not ended meanwhile; for those who have locked the user. */
export async function isOpen(locked: Db, { userId, sessionId }: SessionRef): Promise<boolean> {
  const open = await locked
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}
