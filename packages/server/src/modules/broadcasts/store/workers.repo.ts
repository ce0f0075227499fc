import { type Db, isPostgres } from '../../../platform/db/database.ts'
import type { MachineShortage } from '../../../platform/process/machine-load.ts'
import { isWanted } from './wanted-streams.ts'

/** Why one more stream is not taken on. 'places': there are as many as were allowed. */
export type Shortage = MachineShortage | 'places'

export type WorkersRepo = ReturnType<typeof createWorkersRepo>

/** A worker that has not been heard of for this long has no room. */
const WORKER_GONE_MS = 15_000
/** Longer than the clocks of two machines differ. */
const ALONE_GONE_MS = 120_000
const OLD_MS = 7 * 86_400_000

/** One that keeps every stream of its database says so: beside it nobody else may. */
export const beatNameOf = (worker: string, isAlone: boolean): string =>
  `${worker}/${isAlone ? 'alone-' : ''}${process.pid}`

const ALONE = '%/alone-%'
const hostOf = (name: string): string => name.slice(0, name.lastIndexOf('/'))

interface Room {
  readonly room: number
  readonly short_of: MachineShortage | null
}

/** Workers on machines of their own, and what room they have. */
export function createWorkersRepo(db: Db) {
  const heardOf = (now: number) =>
    db
      .selectFrom('workers')
      .where('seen_at', '>', now - WORKER_GONE_MS)
      .where('name', 'not like', ALONE)

  return {
    /** Programs on other machines may have this database too. */
    isShared: isPostgres(db),
    /** When the others that keep everything alone were last heard of, by their own clocks. */
    async alone(worker: string, now: number): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('workers')
        .select(['name', 'seen_at'])
        .where('name', 'like', ALONE)
        .where('seen_at', '>', now - ALONE_GONE_MS)
        .execute()
      return new Map(
        rows.filter(({ name }) => hostOf(name) !== worker).map(({ name, seen_at }) => [hostOf(name), seen_at]),
      )
    },
    /** How many more streams a worker would take and what its machine is short of, told every few seconds. */
    async beat(name: string, told: { room: number; shortOf: MachineShortage | null }, now: number): Promise<void> {
      const facts = { room: told.room, short_of: told.shortOf, seen_at: now }
      await db
        .insertInto('workers')
        .values({ name, ...facts })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(facts))
        .execute()
    },
    /** When each was last heard of: those of the version before have no lease. */
    async lastSeen(): Promise<Map<string, number>> {
      const rows = await db.selectFrom('workers').select(['name', 'seen_at']).execute()
      const seen = new Map<string, number>()
      for (const { name, seen_at } of rows) {
        seen.set(hostOf(name), Math.max(seen_at, seen.get(hostOf(name)) ?? 0))
      }
      return seen
    },
    /** The machines that have been heard of lately. */
    async hosts(now: number): Promise<Set<string>> {
      const rows = await heardOf(now).select('name').execute()
      return new Set(rows.map(({ name }) => hostOf(name)))
    },
    /** Some worker that has been heard of since then; null: none. */
    async seenSince(moment: number): Promise<string | null> {
      const row = await db.selectFrom('workers').select('name').where('seen_at', '>', moment).executeTakeFirst()
      return row?.name ?? null
    },
    /** Forgets programs that were killed: each leaves a row. */
    async forgetOld(now: number): Promise<void> {
      await db
        .deleteFrom('workers')
        .where('seen_at', '<', now - OLD_MS)
        .execute()
    },
    async forget(name: string): Promise<void> {
      await db.deleteFrom('workers').where('name', '=', name).execute()
    },
    /** Null: they would take so many more than wait already. `leased`: the rooms of workers with a lease, if there are any. While none is there at all a stream may wait for the first. */
    async shortage(now: number, count: number, leased: readonly Room[] = []): Promise<Shortage | null> {
      const [workers, waiting]: [readonly Room[], { count: number } | undefined] = await Promise.all([
        leased.length > 0 ? leased : heardOf(now).select(['room', 'short_of']).execute(),
        db
          .selectFrom('streams')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where(isWanted)
          .where('worker', 'is', null)
          .executeTakeFirst(),
      ])
      const room = workers.reduce<number>((sum, worker) => sum + worker.room, 0)
      if (workers.length === 0 || room >= Number(waiting?.count ?? 0) + count) return null
      // Where they are full for different reasons, all there is to say is that they are full.
      const [shortOf, other] = new Set(workers.map(({ short_of }) => short_of))
      return other === undefined && shortOf ? shortOf : 'places'
    },
  }
}
