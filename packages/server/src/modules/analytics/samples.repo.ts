import { setImmediate as anotherTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { NextStep } from '../../platform/small-steps.ts'
import { jsonList, numberAt } from './json-list.ts'
import { weighted } from './roll-up.repo.ts'
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

/** So many rows at once: everything else gets its turn in between. The database goes through more of them where it makes few out of many. */
const ROWS_AT_ONCE = 1_000
const JOINED_AT_ONCE = 2_000

interface Reading {
  readonly step?: NextStep
  /** So many of them become one, and `at` counts those. */
  readonly together?: number
}

type Page<Row> = (streamNos: readonly number[], from: number, to: number) => Promise<Row[]>

/** What the pages return, for each stream in the order of time. */
async function inPages<Row>(
  allNos: readonly number[],
  [from, to]: readonly [number, number],
  { step = () => anotherTurn(), together = 1 }: Reading,
  page: Page<Row>,
): Promise<Row[]> {
  const most = together > 1 ? JOINED_AT_ONCE : ROWS_AT_ONCE
  const found: Row[] = []
  const streamsAtOnce = Math.max(1, Math.floor(most / together))
  for (let first = 0; first < Math.min(allNos.length, MOST_STREAMS); first += streamsAtOnce) {
    const streamNos = allNos.slice(first, Math.min(first + streamsAtOnce, MOST_STREAMS))
    const groups = Math.max(1, Math.floor(most / streamNos.length / together))
    for (let at = from; at < to; ) {
      // What becomes one is read by one page.
      const next = Math.min(to, (Math.floor(at / together) + groups) * together)
      await step()
      for (const row of await page(streamNos, at, next)) found.push(row)
      at = next
    }
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
  const streams = (numbers: readonly number[]) => list(numbers.map((number) => [number]))

  /** Those of several moments as one, by the rules of rollUpMinutes. */
  function rollups(together: number) {
    if (together === 1) {
      const columns = sql`stream_no as "streamNo", at, samples, live, measured, kbps, kbps_min as "kbpsMin",
        kbps_max as "kbpsMax", fps, speed, unsent_kb as "unsentKb"`
      return { columns, grouped: sql`` }
    }
    const at = sql`at / ${sql.lit(together)}`
    const sum = (column: string) => sql`cast(sum(${sql.ref(column)}) as integer) as ${sql.ref(column)}`
    const columns = sql`stream_no as "streamNo", ${at} as at, ${sum('samples')}, ${sum('live')}, ${sum('measured')},
      ${weighted('kbps')} as kbps, min(kbps_min) as "kbpsMin", max(kbps_max) as "kbpsMax", ${weighted('fps')} as fps,
      ${weighted('speed')} as speed, max(unsent_kb) as "unsentKb"`
    return { columns, grouped: sql`group by stream_no, ${at}` }
  }

  /** They come nearly in order: that is sorted more quickly here than in the database. */
  const inOrder = (rows: NumberedRollup[]) =>
    rows.sort((one, other) => one.streamNo - other.streamNo || one.at - other.at)

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
    samples: (streamNos: readonly number[], from: number, to: number, reading: Pick<Reading, 'step'> = {}) =>
      inPages<NumberedSample>(streamNos, [from, to], reading, async (nos, from, to) => {
        const { rows } = await sql<SampleRow>`
        ${moments(from, to)}
        select at, stream_no, kbps, unsent_kb as "unsentKb", state, fps, speed
        from moments cross join ${streams(nos)} cross join stat_samples
        where stat_samples.at = moment and stat_samples.stream_no = ${numberAt(0)} order by at`.execute(db)
        return rows.map(({ stream_no, ...sample }) => ({ ...sample, streamNo: stream_no }))
      }),
    minutes: (streamNos: readonly number[], from: number, to: number, reading: Reading = {}) =>
      inPages<NumberedRollup>(streamNos, [from, to], reading, async (nos, from, to) => {
        const { columns, grouped } = rollups(reading.together ?? 1)
        const { rows } = await sql<NumberedRollup>`
        ${moments(from, to)}
        select ${columns} from moments cross join ${streams(nos)} cross join stat_minutes
        where at = moment and stream_no = ${numberAt(0)} ${grouped}`.execute(db)
        return inOrder(rows)
      }),
    hours: (streamNos: readonly number[], from: number, to: number, reading: Reading = {}) =>
      inPages<NumberedRollup>(streamNos, [from, to], reading, async (nos, from, to) => {
        const { columns, grouped } = rollups(reading.together ?? 1)
        const { rows } = await sql<NumberedRollup>`
        select ${columns} from ${streams(nos)} cross join stat_hours
        where stream_no = ${numberAt(0)} and at >= ${from} and at < ${to} ${grouped}`.execute(db)
        return inOrder(rows)
      }),
    /** How far the minutes and hours have been rolled up: the first that has not. */
    async placeOf(name: 'minutes' | 'hours'): Promise<number> {
      const row = await db.selectFrom('stat_places').select('at').where('name', '=', name).executeTakeFirst()
      return row?.at ?? 0
    },
  }
}
