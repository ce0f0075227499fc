import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/database.ts'

/** Those that a line which breaks every few seconds tells again and again. */
const FLAPS: ReadonlySet<string> = new Set(['stream.interrupted', 'stream.still-off', 'stream.recovered'])
/** For who looks for what just happened. */
const KEPT_MS = 3_600_000
const PAGE = 500
const BREATH_MS = 2

/**
 * Takes facts of flapping lines away once every reader has them: at ten streams they made a hundred megabytes a day, which other facts do not
 * in a year. All others stay as long as `oldFacts` says.
 */
export function createReadFacts(db: Db) {
  /** Everything up to here was looked at, and nothing of it is waited for. */
  let place = 0

  async function readByAll(): Promise<number> {
    const row = await db
      .selectFrom('outbox_readers')
      .select(({ fn }) => fn.min('after_id').as('id'))
      .executeTakeFirst()
    return Number(row?.id ?? 0)
  }

  /** By their ids alone: few of them may flap, and the database would look for these through all the others at once. */
  const pageUpTo = (upTo: number) =>
    db
      .selectFrom('outbox')
      .select(['id', 'at', 'fact', 'subject_id'])
      .where('id', '>', place)
      .where('id', '<=', upTo)
      .orderBy('id')
      .limit(PAGE)
      .execute()

  return {
    /** Returns the streams whose facts went. */
    async clear(now: number, isOver: () => boolean): Promise<ReadonlySet<string>> {
      const streams = new Set<string>()
      const upTo = await readByAll()
      while (!isOver()) {
        const page = await pageUpTo(upTo)
        // They stand in the order of time. One of a clock that was far ahead is waited for by `oldFacts`.
        const young = page.findIndex(({ fact, at }) => FLAPS.has(fact) && Math.abs(now - Number(at)) <= KEPT_MS)
        const seen = young === -1 ? page : page.slice(0, young)
        const flaps = seen.filter(({ fact, at }) => FLAPS.has(fact) && Number(at) < now)
        const ids = flaps.map(({ id }) => id)
        if (ids.length > 0) await db.deleteFrom('outbox').where('id', 'in', ids).execute()
        for (const { subject_id } of flaps) streams.add(subject_id)
        place = Number(seen.at(-1)?.id ?? place)
        if (seen.length < PAGE) break
        await sleep(BREATH_MS)
      }
      return streams
    },
  }
}
