import { lookOf } from '@siarin/contracts/recipes'
import type { Db } from '../../../platform/db/database.ts'
import { isWanted } from './wanted-streams.ts'

/** The looks that wanted streams of a user name. */
export const looksOnAir =
  (db: Db) =>
  async (userId: string): Promise<string[]> => {
    const rows = await db
      .selectFrom('streams')
      .select('recipe')
      .distinct()
      .where('user_id', '=', userId)
      .where('recipe', 'like', '%+b%')
      .where(isWanted)
      .execute()
    return rows.flatMap(({ recipe }) => (recipe === null ? [] : (lookOf(recipe) ?? [])))
  }
