import { sql } from 'kysely'
import { type Db, isPostgres } from '../../platform/db/database.ts'
import type { MachineFigureTable } from '../../platform/db/tables/machine-figures.ts'

export type MachineFigures = Omit<MachineFigureTable, 'seen_at'>

/** A program among others, as it last told. */
export interface HeardMachine extends MachineFigures {
  /** Since it last told, by the database's clock. */
  readonly silentMs: number
  /** It has missed three of its times. */
  readonly isGone: boolean
}

/** How often each program tells. */
export const TELL_EVERY_MS = 10_000
const GONE_MS = 3.5 * TELL_EVERY_MS
const KEPT_MS = 86_400_000
/** Containers that are made anew all day leave a row each. */
const MOST_ROWS = 500

export type MachinesRepo = ReturnType<typeof createMachinesRepo>

/** How the programs fare that share a database: each has a row. Where one program is all there is, there are none. */
export function createMachinesRepo(db: Db) {
  // Clocks of machines differ, and by the database's all are judged alike.
  const now = isPostgres(db)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast((julianday('now') - 2440587.5) * 86400000 as integer)`

  return {
    async tell(figures: MachineFigures): Promise<void> {
      const facts = { ...figures, seen_at: now }
      await db
        .insertInto('machine_figures')
        .values(facts)
        .onConflict((conflict) => conflict.columns(['id', 'role']).doUpdateSet(facts))
        .execute()
    },
    /** At its end: it is not missed. */
    async forget({ id, role }: Pick<MachineFigures, 'id' | 'role'>): Promise<void> {
      await db.deleteFrom('machine_figures').where('id', '=', id).where('role', '=', role).execute()
    },
    async clearOld(): Promise<void> {
      const newest = db.selectFrom('machine_figures').select('seen_at').orderBy('seen_at', 'desc')
      const tooMany = await newest.offset(MOST_ROWS).limit(1).executeTakeFirst()
      const upTo = tooMany?.seen_at ?? 0
      await db
        .deleteFrom('machine_figures')
        .where((eb) =>
          eb.or([eb('seen_at', '<', sql<number>`${now} - ${sql.lit(KEPT_MS)}`), eb('seen_at', '<=', upTo)]),
        )
        .execute()
    },
    /** By name; those that fell silent too, for a day. */
    async all(): Promise<HeardMachine[]> {
      const rows = await db
        .selectFrom('machine_figures')
        .selectAll()
        .select(sql<number>`${now} - seen_at`.as('silent_ms'))
        .orderBy('seen_at', 'desc')
        .limit(MOST_ROWS)
        .execute()
      return rows
        .map(({ seen_at: _, silent_ms, ...figures }) => {
          const silentMs = Math.max(0, Number(silent_ms))
          return { ...figures, silentMs, isGone: silentMs > GONE_MS }
        })
        .filter(({ silentMs }) => silentMs < KEPT_MS)
        .toSorted((one, other) => one.id.localeCompare(other.id) || one.role.localeCompare(other.role))
    },
  }
}
