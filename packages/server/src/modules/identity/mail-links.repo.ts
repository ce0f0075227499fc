import { randomUUID } from 'node:crypto'
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

interface Reset {
  readonly passwordHash: string
  readonly newKey: { api_key_hash: string; api_key_sealed: string }
  readonly now: number
}

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
    /** False: somebody was quicker with the same link. */
    async verify(tokenHash: string, userId: string, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if (!(await take(transaction, tokenHash))) return false
        await transaction
          .updateTable('users')
          .set({ email_verified_at: now })
          .where('id', '=', userId)
          .where('email_verified_at', 'is', null)
          .execute()
        return true
      })
    },
    /** The password, the key and every session, together or not at all. False: somebody was quicker with the same link. */
    async reset(
      tokenHash: string,
      { userId, kind }: { userId: string; kind: LinkKind },
      { passwordHash, newKey, now }: Reset,
    ): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if (!(await take(transaction, tokenHash))) return false
        await setNewPassword(transaction, { userId, passwordHash, newKey, now })
        if (kind === 'reset') await ownMailbox(transaction, userId, now)
        return true
      })
    },
  }
}

/** Who opened the mail has the mailbox. An earlier user of the account may not have had it: nobody is kept out by an app of theirs. */
async function ownMailbox(transaction: Db, userId: string, now: number): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  for (const table of ['recovery_codes', 'second_factors', 'known_devices'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
  }
}

async function take(transaction: Db, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('mail_links')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
