import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/database.ts'

/** Those that a line which breaks every few seconds tells again and again. */
const FLAPS = ['stream.interrupted', 'stream.still-off', 'stream.recovered'] as const
/** For who looks for what just happened. */
const KEPT_MS = 3_600_000
const BATCH = 500
const BREATH_MS = 2

/**
 * Takes facts of flapping lines away once every reader has them: at ten streams they made a hundred megabytes a day, which other facts do not
 * in a year. All others stay as long as `oldFacts` says.
 */
export function createReadFacts(db: Db) {
  /** Everything up to here was looked at. */
  let place = 0

  async function readByAll(): Promise<number> {
    const row = await db
      .selectFrom('outbox_readers')
      .select(({ fn }) => fn.min('after_id').as('id'))
      .executeTakeFirst()
    return Number(row?.id ?? 0)
  }

  return {
    /** Returns the streams whose facts went. */
    async clear(now: number, isOver: () => boolean): Promise<ReadonlySet<string>> {
      const streams = new Set<string>()
      const upTo = await readByAll()
      while (!isOver()) {
        const rows = await db
          .selectFrom('outbox')
          .select(['id', 'subject_id'])
          .where('id', '>', place)
          .where('id', '<=', upTo)
          .where('at', '<', now - KEPT_MS)
          .where('fact', 'in', FLAPS)
          .orderBy('id')
          .limit(BATCH)
          .execute()
        const ids = rows.map(({ id }) => id)
        if (ids.length > 0) await db.deleteFrom('outbox').where('id', 'in', ids).execute()
        for (const { subject_id } of rows) streams.add(subject_id)
        place = Number(ids.at(-1) ?? place)
        if (rows.length < BATCH) break
        await sleep(BREATH_MS)
      }
      return streams
    },
  }
}
