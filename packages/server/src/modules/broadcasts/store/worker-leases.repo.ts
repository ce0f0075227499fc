import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { WorkerLeaseTable } from '../../../platform/db/tables/broadcasts.ts'

export type WorkerLeaseRow = Selectable<WorkerLeaseTable> & {
  /** Whether it was renewed lately, by the database's clock: for those who look, and for where to send new streams. */
  readonly isLive: boolean
}
export type WorkerState = 'up' | 'draining'

/** What a worker tells of itself with each beat. */
export type ToldLoad = Pick<WorkerLeaseTable, 'room' | 'max_streams' | 'kept' | 'cpu' | 'memory' | 'short_of'>

/** Who holds the lease, and in which form the row was seen. */
export interface SeenLease {
  readonly id: string
  readonly incarnation: string | null
  readonly beat_seq: number
}

export type WorkerLeasesRepo = ReturnType<typeof createWorkerLeasesRepo>

const LEASE_MS = 8_000
const OLD_MS = 7 * 86_400_000

/** This works on PostgreSQL alone: where there are several machines, that is what they share. */
const nowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const leaseUntil = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${LEASE_MS}`

export function createWorkerLeasesRepo(db: Db) {
  return {
    /** A new run of a worker's program. Null: another program holds this name. `boot`: whose processes it finds. */
    async register(lease: { id: string; incarnation: string; boot: string; version: string }, told: ToldLoad) {
      const { id, ...run } = lease
      const facts = { ...run, ...told, lease_until: leaseUntil }
      const row = await db
        .insertInto('worker_leases')
        .values({ id, beat_seq: 1, ...facts })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ ...facts, beat_seq: sql<number>`worker_leases.beat_seq + 1` })
            .where(({ or, eb }) =>
              or([eb('worker_leases.incarnation', 'is', null), eb('worker_leases.boot', '=', lease.boot)]),
            ),
        )
        .returning('state')
        .executeTakeFirst()
      return row?.state ?? null
    },
    /** Null: somebody has taken the lease away. */
    async beat({ id, incarnation }: { id: string; incarnation: string }, told: ToldLoad): Promise<WorkerState | null> {
      const row = await db
        .updateTable('worker_leases')
        .set({ ...told, lease_until: leaseUntil, beat_seq: sql<number>`beat_seq + 1` })
        .where('id', '=', id)
        .where('incarnation', '=', incarnation)
        .returning('state')
        .executeTakeFirst()
      return row?.state ?? null
    },
    async all(): Promise<WorkerLeaseRow[]> {
      return db
        .selectFrom('worker_leases')
        .selectAll()
        .select(sql<boolean>`incarnation is not null and lease_until > ${nowMs}`.as('isLive'))
        .orderBy('id')
        .execute()
    },
    /** How much room the live ones have. */
    async rooms() {
      return (await this.all()).filter(({ isLive }) => isLive)
    },
    /** Forgets workers that are gone for good and kept nothing: each container that is thrown away leaves one. */
    async forgetOld(): Promise<void> {
      await db
        .deleteFrom('worker_leases')
        .where('incarnation', 'is', null)
        .where('state', '=', 'up')
        .where('lease_until', '<', sql<number>`${nowMs} - ${OLD_MS}`)
        .where(sql<boolean>`not exists (select 1 from streams where worker = worker_leases.id and phase <> 'ended')`)
        .execute()
    },
    /**
     * Answers whose leases were taken: not of rows that are not any more as they were seen, or that somebody else is at. `deal` gives away
     * what those kept, in the same transaction: nobody sees a worker that is dead and still has its streams.
     */
    async takeAway(seen: readonly SeenLease[], deal: (inside: Db, dead: readonly string[]) => Promise<void>) {
      const isSeen = sql<boolean>`(id, incarnation, beat_seq) in (${sql.join(
        seen.map(({ id, incarnation, beat_seq }) => sql`(${id}, ${incarnation}, ${beat_seq}::bigint)`),
      )})`
      return db.transaction().execute(async (inside): Promise<string[]> => {
        const rows = await inside
          .updateTable('worker_leases')
          .set({ incarnation: null, room: 0, kept: 0, lease_until: nowMs, beat_seq: sql<number>`beat_seq + 1` })
          .where('id', 'in', inside.selectFrom('worker_leases').select('id').where(isSeen).forUpdate().skipLocked())
          .returning('id')
          .execute()
        const dead = rows.map(({ id }) => id)
        if (dead.length > 0) await deal(inside, dead)
        return dead
      })
    },
    /** By its holder, who keeps nothing any more. */
    async release({ id, incarnation }: { id: string; incarnation: string }): Promise<void> {
      await db
        .updateTable('worker_leases')
        .set({ incarnation: null, room: 0, kept: 0, lease_until: nowMs, beat_seq: sql<number>`beat_seq + 1` })
        .where('id', '=', id)
        .where('incarnation', '=', incarnation)
        .execute()
    },
    /** The operator's wish, which outlives a restart. False: there is no such worker. */
    async setState(id: string, state: WorkerState): Promise<boolean> {
      const rows = await db.updateTable('worker_leases').set({ state }).where('id', '=', id).returning('id').execute()
      return rows.length > 0
    },
  }
}
