import type { Db } from '../db/database.ts'
import type { Sealer } from './seal.ts'

/** Something that the database holds sealed; null: it holds nothing yet. */
export type SealedSample = (db: Db) => Promise<string | null>

/** Whether it opens what the database holds. One that holds nothing is opened by each. */
export async function isRightSecret(db: Db, sealer: Sealer, sampleOf: SealedSample): Promise<boolean> {
  const sealed = await sampleOf(db)
  try {
    if (sealed !== null) sealer.open(sealed)
    return true
  } catch {
    return false
  }
}
