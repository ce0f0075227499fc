import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * When somebody showed that the person with the password has the mailbox too. Nobody wrote down how an address was verified before: these
 * count as shown, so that a forgotten password costs nobody anything. The version before knows nothing of it.
 */
export const ownerProofs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('users').addColumn('owner_proved_at', 'bigint').execute()
    await sql`update users set owner_proved_at = email_verified_at where email_verified_at is not null`.execute(db)
  },
}
