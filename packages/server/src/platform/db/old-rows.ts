import { setImmediate as anotherTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Rows of one table that nobody will ask for again. The module that owns the table says which they are. */
export interface OldRows {
  readonly table: string
  /** Its key; `id` if it is not named. */
  readonly key?: readonly string[]
  readonly where: RawBuilder<unknown>
}

/** So many at once: a write holds up every other. */
const BATCH = 500
/** The rest has time until the next round. */
const MOST_BATCHES = 40

/** Answers how many rows went, by table. */
export async function deleteOldRows(db: Db, old: readonly OldRows[]): Promise<Record<string, number>> {
  const cleared: Record<string, number> = {}
  for (const { table, key = ['id'], where } of old) {
    const name = sql.table(table)
    const columns = sql.join(key.map((column) => sql.ref(column)))
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${name} where (${columns}) in (select ${columns} from ${name} where ${where} limit ${sql.lit(BATCH)})`.execute(
        db,
      )
      cleared[table] = (cleared[table] ?? 0) + Number(numAffectedRows)
      if (numAffectedRows < BATCH) break
      // On SQLite all of this is done at once: everything else gets its turn in between.
      await anotherTurn()
    }
  }
  return cleared
}
