import { setImmediate as anotherTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

const DAY_MS = 86_400_000
/** A year of reports is what the largest plan has, so that long nothing of a broadcast goes. */
const YEAR_MS = 366 * DAY_MS
/** Sessions last a month at most. The newest of each user stays: it says when they were last here. */
const SESSION_KEPT_MS = 60 * DAY_MS
const ENDED_BROADCAST_KEPT_MS = DAY_MS
/** A reader of the outbox that has been away for longer has missed something. */
const FACT_KEPT_MS = 30 * DAY_MS

/** So many at once: a write holds up every other. */
const BATCH = 500
/** The rest has time until the next round. */
const MOST_BATCHES = 40

const oldRows = (now: number): { table: string; where: RawBuilder<unknown> }[] => [
  {
    table: 'sessions',
    where: sql`created_at < ${now - SESSION_KEPT_MS} and exists (
      select 1 from sessions as newer where newer.user_id = sessions.user_id and newer.created_at > sessions.created_at)`,
  },
  { table: 'activity', where: sql`at < ${now - YEAR_MS}` },
  { table: 'stream_events', where: sql`at < ${now - YEAR_MS}` },
  // With the token of the account, which is of no use any more.
  { table: 'platform_broadcasts', where: sql`ended_at < ${now - ENDED_BROADCAST_KEPT_MS}` },
  { table: 'outbox', where: sql`at < ${now - FACT_KEPT_MS}` },
]

/** Deletes what nobody will ask for again. Answers how many rows went, by table. */
export async function clearOldRows(db: Db, now: number): Promise<Record<string, number>> {
  const cleared: Record<string, number> = {}
  for (const { table, where } of oldRows(now)) {
    const name = sql.table(table)
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${name} where id in (select id from ${name} where ${where} limit ${sql.lit(BATCH)})`.execute(db)
      cleared[table] = (cleared[table] ?? 0) + Number(numAffectedRows)
      if (numAffectedRows < BATCH) break
      // On SQLite all of this is done at once: everything else gets its turn in between.
      await anotherTurn()
    }
  }
  return cleared
}
