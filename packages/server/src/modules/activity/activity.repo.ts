import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { type Db, isForeignKeyViolation } from '../../platform/db/database.ts'
import type { ActivityTable } from '../../platform/db/schema.ts'

export type ActivityRow = Selectable<ActivityTable>
export type ActivityRepo = ReturnType<typeof createActivityRepo>

export function createActivityRepo(db: Db) {
  return {
    /** Keeps the newest `kept` of a kind: somebody who fails to log in a thousand times pushes nothing else off the list. */
    async insert(entry: Omit<Insertable<ActivityTable>, 'id'>, kept: number): Promise<void> {
      try {
        await db
          .insertInto('activity')
          .values({ id: randomUUID(), ...entry })
          .execute()
      } catch (error) {
        // The account was deleted meanwhile, and its activity with it.
        if (isForeignKeyViolation(error)) return
        throw error
      }
      await db
        .deleteFrom('activity')
        .where('user_id', '=', entry.user_id)
        .where('kind', '=', entry.kind)
        .where('at', '<', (eb) =>
          eb
            .selectFrom('activity')
            .select('at')
            .where('user_id', '=', entry.user_id)
            .where('kind', '=', entry.kind)
            .orderBy('at', 'desc')
            .limit(1)
            .offset(kept - 1),
        )
        .execute()
    },
    async recent(userId: string, limit: number): Promise<ActivityRow[]> {
      return db
        .selectFrom('activity')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },
    async lastAt(userId: string, kind: string): Promise<number | null> {
      const row = await db
        .selectFrom('activity')
        .select((eb) => eb.fn.max('at').as('at'))
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .executeTakeFirst()
      return row?.at ?? null
    },
  }
}
