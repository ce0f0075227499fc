import type { Db } from '../../platform/db/database.ts'

/** Some user's API key, sealed; null: there is no user yet. */
export async function anySealedKey(db: Db): Promise<string | null> {
  const user = await db.selectFrom('users').select('api_key_sealed').limit(1).executeTakeFirst()
  return user?.api_key_sealed ?? null
}
