import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { atomically, type Db } from '../../platform/db/database.ts'
import type { SecondFactorTable } from '../../platform/db/schema.ts'
import type { SessionRef } from './caller.ts'
import { isOpen } from './sessions.repo.ts'
import { withUserLocked } from './user-lock.ts'

type SecondFactorRow = Selectable<SecondFactorTable>

interface Confirmation {
  /** The one whose code was looked at. */
  readonly secretSealed: string
  readonly step: number
  readonly codeMarks: readonly string[]
  readonly now: number
}

export type SecondFactorRepo = ReturnType<typeof createSecondFactorRepo>

async function putCodes(db: Db, userId: string, codeMarks: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const rows = codeMarks.map((code_mark) => ({ id: randomUUID(), user_id: userId, code_mark }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

export const createSecondFactorRepo = (db: Db) => ({ ...secondFactors(db), ...recoveryCodes(db) })

const secondFactors = (db: Db) => ({
  async of(userId: string): Promise<SecondFactorRow | null> {
    const row = await db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
    return row ?? null
  },
  /** Not in force before a code has confirmed it. False: one is in force already. */
  async propose(userId: string, secretSealed: string, now: number): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('second_factors')
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is', null)
        .execute()
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('second_factors')
        .values({ user_id: userId, secret_sealed: secretSealed, created_at: now })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    })
  },
  /**
   * Puts it in force, with new recovery codes, and ends every other session: none of them has shown a code. False: somebody else has done so or has proposed another secret meanwhile, or the session
   * that asks has ended.
   */
  async confirm(caller: SessionRef, { secretSealed, step, codeMarks, now }: Confirmation): Promise<boolean> {
    const { userId } = caller
    return withUserLocked(db, userId, async (transaction) => {
      if (!(await isOpen(transaction, caller))) return false
      const { numUpdatedRows } = await transaction
        .updateTable('second_factors')
        .set({ confirmed_at: now, last_step: step })
        .where('user_id', '=', userId)
        .where('secret_sealed', '=', secretSealed)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await putCodes(transaction, userId, codeMarks)
      await transaction
        .updateTable('sessions')
        .set({ ended_at: now })
        .where('user_id', '=', userId)
        .where('id', '<>', caller.sessionId)
        .where('ended_at', 'is', null)
        .execute()
      return true
    })
  },
  /** False: this code, or a later one, has counted already. */
  async useStep(userId: string, step: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      // A later one than codes can be by now was used while the clock was ahead.
      .where(({ or, eb }) => or([eb('last_step', '<', step), eb('last_step', '>', step + 2)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  /** False: there was none in force. */
  async remove(userId: string): Promise<boolean> {
    return atomically(db, async (transaction) => {
      await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
      const { numDeletedRows } = await transaction
        .deleteFrom('second_factors')
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst()
      return numDeletedRows > 0n
    })
  },
})

const recoveryCodes = (db: Db) => ({
  /** False: this secret is not in force any more, or the session that asks has ended. */
  async replaceCodes(caller: SessionRef, secretSealed: string, codeMarks: readonly string[]): Promise<boolean> {
    const { userId } = caller
    return withUserLocked(db, userId, async (transaction) => {
      if (!(await isOpen(transaction, caller))) return false
      const inForce = await transaction
        .selectFrom('second_factors')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('secret_sealed', '=', secretSealed)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst()
      if (!inForce) return false
      await putCodes(transaction, userId, codeMarks)
      return true
    })
  },
  /** False: there is no such code, or it has been used. */
  async useRecoveryCode(userId: string, codeMark: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('recovery_codes')
      .set({ used_at: now })
      .where('user_id', '=', userId)
      .where('code_mark', '=', codeMark)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async recoveryCodesLeft(userId: string): Promise<number> {
    const rows = await db
      .selectFrom('recovery_codes')
      .select('id')
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .execute()
    return rows.length
  },
})
