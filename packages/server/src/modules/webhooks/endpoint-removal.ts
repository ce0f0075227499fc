import type { Db } from '../../platform/db/database.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import type { EndpointRow } from './endpoints.repo.ts'
import { inSlices, ROWS_AT_ONCE } from './in-slices.ts'

/** It goes, and nobody sees it any more: it hears nothing, and nothing of it is sent. */
export const REMOVING = 'removing'

/** A full queue does not go in one piece: SQLite has one writer, and broadcasts write too. The mark comes first, so a crash loses nothing. */
export function endpointRemoval(db: Db) {
  const mark = (userId: string, id: string): Promise<EndpointRow | undefined> =>
    withUserLocked(db, userId, (locked) =>
      locked
        .updateTable('webhook_endpoints')
        .set({ state: REMOVING, state_reason: null })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .where('state', '<>', REMOVING)
        .returningAll()
        .executeTakeFirst(),
    )

  async function finishRemoval(id: string): Promise<void> {
    const some = db.selectFrom('webhook_deliveries').select('id').where('endpoint_id', '=', id).limit(ROWS_AT_ONCE)
    await inSlices(async () => {
      const { numDeletedRows } = await db.deleteFrom('webhook_deliveries').where('id', 'in', some).executeTakeFirst()
      return Number(numDeletedRows)
    })
    await db.deleteFrom('webhook_endpoints').where('id', '=', id).where('state', '=', REMOVING).execute()
  }

  return {
    /** Answers what it was; null: there is none. */
    async remove(workspaceId: string, id: string): Promise<EndpointRow | null> {
      const row = await mark(workspaceId, id)
      if (row) await finishRemoval(id)
      return row ?? null
    },
    async removeAllOf(userId: string): Promise<void> {
      const all = await db.selectFrom('webhook_endpoints').select('id').where('user_id', '=', userId).execute()
      for (const { id } of all) {
        await mark(userId, id)
        await finishRemoval(id)
      }
    },
    /** What a crash has left. */
    async removeMarked(): Promise<void> {
      const marked = await db.selectFrom('webhook_endpoints').select('id').where('state', '=', REMOVING).execute()
      for (const { id } of marked) await finishRemoval(id)
    },
  }
}
