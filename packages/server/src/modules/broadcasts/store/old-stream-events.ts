import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { OldRows } from '../../../platform/db/old-rows.ts'

/** A year of reports is what the largest plan has, so that long nothing of a broadcast goes. */
const YEAR_MS = 366 * 86_400_000

export const oldStreamEvents = (now: number): OldRows => ({ table: 'stream_events', where: sql`at < ${now - YEAR_MS}` })

/** More of one stream than any view shows: its newest 500 are. */
const KEPT_OF_STREAM = 1_000
const BATCH = 500
const BREATH_MS = 2

/** What nobody can see any more, of lines that break every few seconds or videos that take turns. */
export async function trimTimelines(db: Db, streamIds: Iterable<string>, isOver: () => boolean): Promise<void> {
  for (const streamId of streamIds) {
    for (let gone = BATCH; gone === BATCH && !isOver(); await sleep(BREATH_MS)) {
      // A read first: nearly always there is nothing to delete, for which SQLite would lock out its writers.
      const beyond = await db
        .selectFrom('stream_events')
        .select('id')
        .where('stream_id', '=', streamId)
        .orderBy('at', 'desc')
        .offset(KEPT_OF_STREAM)
        .limit(BATCH)
        .execute()
      gone = beyond.length
      const ids = beyond.map(({ id }) => id)
      if (gone > 0) await db.deleteFrom('stream_events').where('id', 'in', ids).execute()
    }
  }
}
