import type { Db } from '../../platform/db/database.ts'

interface NewPassword {
  readonly userId: string
  readonly passwordHash: string
  /** Anyone who knew the old password may know the key. */
  readonly newKey: { api_key_hash: string; api_key_sealed: string }
  readonly now: number
  /** It is changed only while it is still this one. */
  readonly oldHash?: string
}

/**
 * With a new password the key is another, every session ends, and no link that was given before opens the account again: in the
 * transaction of the caller. Answers how many sessions it ended; null: the password has been changed since the old one was checked.
 */
export async function setNewPassword(transaction: Db, change: NewPassword): Promise<number | null> {
  const { userId, passwordHash, newKey, now, oldHash } = change
  // First of all: others who change something of this user wait here until we are done.
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ password_hash: passwordHash, ...newKey })
    .where('id', '=', userId)
    .$if(oldHash !== undefined, (query) => query.where('password_hash', '=', oldHash ?? ''))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return null
  await transaction
    .deleteFrom('mail_links')
    .where('user_id', '=', userId)
    .where('kind', 'in', ['reset', 'reset-given'])
    .execute()
  const ended = await transaction
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}
