import { randomUUID } from 'node:crypto'
import type { LeftBehind } from '@siarin/contracts/left-behind'
import { atomically, type Db } from '../../platform/db/database.ts'
import { setNewPassword } from './new-password.repo.ts'
import { lockUser } from './user-lock.ts'

/** 'reset-given': made by the operator and handed over in some other way, so it proves no mailbox. */
export type LinkKind = 'verify' | 'reset' | 'reset-given'

interface NewLink {
  readonly userId: string
  readonly kind: LinkKind
  readonly tokenHash: string
  readonly now: number
  readonly lifeMs: number
}

interface Verification {
  readonly userId: string
  readonly byUser: boolean
  readonly now: number
}

interface Reset {
  readonly passwordHash: string
  readonly newKey: { api_key_hash: string; api_key_sealed: string }
  readonly now: number
  readonly pauseLeftBehind: PauseLeftBehind
}

/** See program/first-proof. */
export type PauseLeftBehind = (inside: Db, userId: string, now: number) => Promise<LeftBehind>

export type MailLinksRepo = ReturnType<typeof createMailLinksRepo>

export function createMailLinksRepo(db: Db) {
  return {
    /** Those of its kind before count no more; but anybody may ask for a reset, and must not end what its owner is about to open. */
    async add({ userId, kind, tokenHash, now, lifeMs }: NewLink): Promise<void> {
      await db.deleteFrom('mail_links').where('expires_at', '<', now).execute()
      const link = { user_id: userId, kind, token_hash: tokenHash, created_at: now, expires_at: now + lifeMs }
      await atomically(db, async (inside) => {
        await lockUser(inside, userId)
        if (kind !== 'reset') {
          await inside.deleteFrom('mail_links').where('user_id', '=', userId).where('kind', '=', kind).execute()
        }
        await inside
          .insertInto('mail_links')
          .values({ id: randomUUID(), ...link })
          .execute()
      })
    },
    async find(tokenHash: string, now: number): Promise<{ userId: string; kind: LinkKind } | null> {
      const row = await db
        .selectFrom('mail_links')
        .innerJoin('users', 'users.id', 'mail_links.user_id')
        .select(['mail_links.user_id as userId', 'mail_links.kind'])
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .where('users.deleting_at', 'is', null)
        .executeTakeFirst()
      return row ? { userId: row.userId, kind: row.kind as LinkKind } : null
    },
    /** `byUser`: it was opened in a browser of this account. False: somebody was quicker with the same link. */
    async verify(tokenHash: string, { userId, byUser, now }: Verification): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        await lockUser(transaction, userId)
        if (!(await take(transaction, tokenHash))) return false
        await transaction
          .updateTable('users')
          .set({ email_verified_at: now, ...(byUser && { owner_proved_at: now }) })
          .where('id', '=', userId)
          .where('email_verified_at', 'is', null)
          .execute()
        return true
      })
    },
    /**
     * The password, the key and every session, together or not at all, with what was left behind where that was the first proof. Null:
     * somebody was quicker with the same link.
     */
    async reset(
      tokenHash: string,
      { userId, kind }: { userId: string; kind: LinkKind },
      { passwordHash, newKey, now, pauseLeftBehind }: Reset,
    ): Promise<{ left: LeftBehind | null } | null> {
      return db.transaction().execute(async (transaction) => {
        // First, as where a link is added: two that take both in another order would wait for each other.
        await lockUser(transaction, userId)
        if (!(await take(transaction, tokenHash))) return null
        await setNewPassword(transaction, { userId, passwordHash, newKey, now })
        const isFirst = kind === 'reset' && (await ownMailbox(transaction, userId, now))
        return { left: isFirst ? await pauseLeftBehind(transaction, userId, now) : null }
      })
    },
  }
}

/**
 * Somebody who opened the mail has the mailbox. An earlier user of the account may not have had it, also where the address was verified in
 * an unknown browser: the second factor of that user must not lock the owner out. Returns false if the mailbox was shown before. Then the
 * second factor stays: otherwise a mailbox alone would open an account that has one.
 */
async function ownMailbox(transaction: Db, userId: string, now: number): Promise<boolean> {
  const users = transaction.selectFrom('users').select(['email_verified_at', 'owner_proved_at'])
  const user = await users.where('id', '=', userId).executeTakeFirst()
  if (!user || user.owner_proved_at !== null) return false
  await transaction
    .updateTable('users')
    .set({ email_verified_at: user.email_verified_at ?? now, owner_proved_at: now })
    .where('id', '=', userId)
    .execute()
  for (const table of ['recovery_codes', 'second_factors', 'known_devices'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
  }
  return true
}

async function take(transaction: Db, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('mail_links')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
