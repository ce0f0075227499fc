import type { Db } from '../db/database.ts'
import type { Sealer } from './seal.ts'

/** Whether it opens what the database holds. One that holds nothing is opened by each. */
export async function isRightSecret(db: Db, sealer: Sealer): Promise<boolean> {
  const user = await db.selectFrom('users').select('api_key_sealed').limit(1).executeTakeFirst()
  try {
    if (user) sealer.open(user.api_key_sealed)
    return true
  } catch {
    return false
  }
}
