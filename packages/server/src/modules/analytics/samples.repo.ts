import { setImmediate as anotherTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { jsonList, numberAt } from './json-list.ts'
import type { Rollup, Sample } from './sample-rules.ts'

export type SamplesRepo = ReturnType<typeof createSamplesRepo>

export interface NumberedSample extends Sample {
  readonly streamNo: number
}

export interface NumberedRollup extends Rollup {
  readonly streamNo: number
}

type SampleRow = Sample & { stream_no: number }

/** So many streams in one answer; a workspace has at most some tens. */
const MOST_STREAMS = 200

/** So many rows at once: everything else gets its turn in between. */
const ROWS_AT_ONCE = 4_000

/** What a page returns, one after the other in the order of time. */
async function inPages<Row>(
  streamNos: readonly number[],
  from: number,
  to: number,
  page: (from: number, to: number) => Promise<Row[]>,
): Promise<Row[]> {
  if (streamNos.length === 0) return []
  const step = Math.max(1, Math.floor(ROWS_AT_ONCE / Math.min(streamNos.length, MOST_STREAMS)))
  const found: Row[] = []
  for (let at = from; at < to; at += step) {
    if (at > from) await anotherTurn()
    for (const row of await page(at, Math.min(to, at + step))) found.push(row)
  }
  return found
}

/** The figures of streams, each by its number. What is asked for here was found by its workspace before. */
export function createSamplesRepo(db: Db) {
  const list = jsonList(db)
  /** The moments of a time one by one: figures stand in the order of time, so each is one step to its place. */
  const moments = (from: number, to: number) => sql`
    with recursive moments(moment) as (
      select cast(${from} as integer) where ${from} < cast(${to} as integer)
      union all select moment + 1 from moments where moment + 1 < cast(${to} as integer))`
  const streams = (numbers: readonly number[]) => list(numbers.slice(0, MOST_STREAMS).map((number) => [number]))

  const rollup = sql`stream_no as "streamNo", at, samples, live, measured, kbps, kbps_min as "kbpsMin", kbps_max as "kbpsMax",
    fps, speed, unsent_kb as "unsentKb"`

  return {
    /** Those of all streams in one statement. A second look within the same five seconds replaces the first. */
    async write(samples: readonly NumberedSample[]): Promise<void> {
      const rows = samples.map((one) => [one.at, one.streamNo, one.kbps, one.unsentKb, one.state, one.fps, one.speed])
      const columns = sql.join([0, 1, 2, 3, 4, 5, 6].map(numberAt))
      await sql`
        insert into stat_samples (at, stream_no, kbps, unsent_kb, state, fps, speed)
        select ${columns} from ${list(rows)} where true
        on conflict (at, stream_no) do update set kbps = excluded.kbps, unsent_kb = excluded.unsent_kb,
          state = excluded.state, fps = excluded.fps, speed = excluded.speed`.execute(db)
    },
    /** From one slot on and before another, in order for each stream, as are those below. */
    samples: (streamNos: readonly number[], from: number, to: number): Promise<NumberedSample[]> =>
      inPages(streamNos, from, to, async (from, to) => {
        const { rows } = await sql<SampleRow>`
        ${moments(from, to)}
        select at, stream_no, kbps, unsent_kb as "unsentKb", state, fps, speed
        from moments cross join ${streams(streamNos)} cross join stat_samples
        where stat_samples.at = moment and stat_samples.stream_no = ${numberAt(0)} order by at`.execute(db)
        return rows.map(({ stream_no, ...sample }) => ({ ...sample, streamNo: stream_no }))
      }),
    minutes: (streamNos: readonly number[], from: number, to: number): Promise<NumberedRollup[]> =>
      inPages(streamNos, from, to, async (from, to) => {
        const { rows } = await sql<NumberedRollup>`
        ${moments(from, to)}
        select ${rollup} from moments cross join ${streams(streamNos)} cross join stat_minutes
        where at = moment and stream_no = ${numberAt(0)} order by at`.execute(db)
        return rows
      }),
    hours: (streamNos: readonly number[], from: number, to: number): Promise<NumberedRollup[]> =>
      inPages(streamNos, from, to, async (from, to) => {
        const { rows } = await sql<NumberedRollup>`
        select ${rollup} from ${streams(streamNos)} cross join stat_hours
        where stream_no = ${numberAt(0)} and at >= ${from} and at < ${to}`.execute(db)
        // They come stream by stream, nearly always each in order: that is sorted more quickly here than in the database.
        return rows.sort((one, other) => one.streamNo - other.streamNo || one.at - other.at)
      }),
    /** How far the minutes and hours have been rolled up: the first that has not. */
    async placeOf(name: 'minutes' | 'hours'): Promise<number> {
      const row = await db.selectFrom('stat_places').select('at').where('name', '=', name).executeTakeFirst()
      return row?.at ?? 0
    },
  }
}
