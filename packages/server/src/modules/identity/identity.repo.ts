import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { ActivityTable, SessionTable, UserTable } from '../../platform/db/schema.ts'

export type UserRow = Selectable<UserTable>
export type SessionRow = Selectable<SessionTable>
export type ActivityRow = Selectable<ActivityTable>

export type IdentityRepo = ReturnType<typeof createIdentityRepo>

export function createIdentityRepo(db: Db) {
  return {
    async insertUser(user: Insertable<UserTable>): Promise<void> {
      await db.insertInto('users').values(user).execute()
    },
    async userById(id: string): Promise<UserRow | null> {
      return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },
    async userByEmail(email: string): Promise<UserRow | null> {
      return (await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()) ?? null
    },
    async userIdByApiKeyHash(apiKeyHash: string): Promise<string | null> {
      const row = await db.selectFrom('users').select('id').where('api_key_hash', '=', apiKeyHash).executeTakeFirst()
      return row?.id ?? null
    },
    async isUsernameTaken(usernameKey: string): Promise<boolean> {
      const row = await db.selectFrom('users').select('id').where('username_key', '=', usernameKey).executeTakeFirst()
      return row !== undefined
    },
    async changeApiKey(userId: string, apiKeyHash: string, apiKeySealed: string): Promise<void> {
      await db
        .updateTable('users')
        .set({ api_key_hash: apiKeyHash, api_key_sealed: apiKeySealed })
        .where('id', '=', userId)
        .execute()
    },

    async insertSession(session: Insertable<SessionTable>): Promise<void> {
      await db.insertInto('sessions').values(session).execute()
    },
    async sessionByTokenHash(tokenHash: string): Promise<SessionRow | null> {
      const row = await db.selectFrom('sessions').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
      return row ?? null
    },
    async touchSession(id: string, now: number): Promise<void> {
      await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
    },
    async endSession(id: string, now: number): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ ended_at: now })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute()
    },
    async lastLoginAt(userId: string): Promise<number | null> {
      const row = await db
        .selectFrom('sessions')
        .select((eb) => eb.fn.max('created_at').as('at'))
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row?.at ?? null
    },

    async insertActivity(entry: Insertable<ActivityTable>): Promise<void> {
      await db.insertInto('activity').values(entry).execute()
    },
    async recentActivity(userId: string, limit: number): Promise<ActivityRow[]> {
      return db
        .selectFrom('activity')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },
  }
}
