import type { Db } from '../../platform/db/database.ts'
import { isWanted } from './wanted-streams.ts'

export type WorkersRepo = ReturnType<typeof createWorkersRepo>

/** A worker that has not been heard of for this long has no room. */
const WORKER_GONE_MS = 15_000

/** Workers on machines of their own, and what room they have. */
export function createWorkersRepo(db: Db) {
  return {
    /** How many more streams a worker would take, told every few seconds. */
    async beat(name: string, room: number, now: number): Promise<void> {
      await db
        .insertInto('workers')
        .values({ name, room, seen_at: now })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ room, seen_at: now }))
        .execute()
    },
    async forget(name: string): Promise<void> {
      await db.deleteFrom('workers').where('name', '=', name).execute()
    },
    /** Whether one of them would take one more than wait already. While none is there at all a stream may wait for the first. */
    async haveRoom(now: number): Promise<boolean> {
      const [workers, waiting] = await Promise.all([
        db
          .selectFrom('workers')
          .select('room')
          .where('seen_at', '>', now - WORKER_GONE_MS)
          .execute(),
        db
          .selectFrom('streams')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where(isWanted)
          .where('worker', 'is', null)
          .executeTakeFirst(),
      ])
      const room = workers.reduce((sum, worker) => sum + worker.room, 0)
      return workers.length === 0 || room > Number(waiting?.count ?? 0)
    },
  }
}
