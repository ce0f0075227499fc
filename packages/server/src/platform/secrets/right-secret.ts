import type { Db } from '../db/database.ts'
import type { Sealer } from './seal.ts'

/** Whether it is the secret with which this database was filled; of an empty one any is. */
export async function isRightSecret(db: Db, sealer: Sealer): Promise<boolean> {
  const user = await db.selectFrom('users').select('api_key_sealed').limit(1).executeTakeFirst()
  try {
    if (user) sealer.open(user.api_key_sealed)
    return true
  } catch {
    return false
  }
}
