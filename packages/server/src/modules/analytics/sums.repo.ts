import type { Platform } from '@siarin/contracts/platforms'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { StatSumTable } from '../../platform/db/tables/analytics.ts'
import { createSmallSteps, type SmallSteps } from '../../platform/small-steps.ts'
import type { Day } from './days.ts'
import { jsonList, numberAt } from './json-list.ts'
import { HOUR_MS } from './sample-rules.ts'
import { type EndedSpan, GRAINS, LONG_MS, partsOf, QUARTER_MS, RUNS } from './span-sums.ts'

/** What the spans of a workspace come to on one day. */
export interface DaySum {
  readonly day: number
  readonly platform: Platform
  /** That of the incidents; '': the runs. */
  readonly reason: string
  readonly onAirMs: number
  readonly offAirMs: number
  readonly incidents: number
}

export interface SummedRun {
  readonly streamNo: number
  readonly beganAt: number
  readonly lastedMs: number
}

export interface OwnedSpan {
  readonly userId: string
  readonly platform: string
  readonly streamNo: number
  readonly span: EndedSpan
}

/** A statement takes a bounded number of values. */
const ROWS_AT_ONCE = 50
/** So many days at once: everything else gets its turn in between. */
const DAYS_AT_ONCE = 7
const HOURS_AT_ONCE = 24 * DAYS_AT_ONCE
const [HOURS, QUARTERS] = GRAINS

const keyOf = ({ user_id, grain, at, platform, reason }: Insertable<StatSumTable>): string =>
  `${user_id} ${grain} ${at} ${platform} ${reason}`

/** What follows from spans, by hour and quarter: changes are gathered, and written together. */
export function gatherSums() {
  const rows = new Map<string, Insertable<StatSumTable>>()
  const withdrawn: OwnedSpan[] = []

  function gather({ userId, platform, streamNo, span }: OwnedSpan, sign: 1 | -1): void {
    for (const part of partsOf(span)) {
      const row: Insertable<StatSumTable> = {
        ...{ user_id: userId, grain: part.grain, at: part.at, platform, reason: part.reason },
        ...{ on_air_ms: 0, off_air_ms: 0, incidents: 0, longest_ms: 0, longest_at: 0, longest_no: 0 },
        ...rows.get(keyOf({ user_id: userId, grain: part.grain, at: part.at, platform, reason: part.reason } as never)),
      }
      row.on_air_ms += sign * part.onAirMs
      row.off_air_ms += sign * part.offAirMs
      row.incidents += sign * part.incidents
      if (sign > 0 && part.runMs > row.longest_ms) {
        Object.assign(row, { longest_ms: part.runMs, longest_at: span.beganAt, longest_no: streamNo })
      }
      rows.set(keyOf(row), row)
    }
  }

  return {
    /** How many rows these are so far. */
    size: (): number => rows.size,
    add: (owned: OwnedSpan): void => gather(owned, 1),
    /** It was counted, and is another one now: the clock was set back. */
    withdraw(owned: OwnedSpan): void {
      gather(owned, -1)
      if (owned.span.kind === 'run') withdrawn.push(owned)
    },
    async write(inside: Db): Promise<void> {
      for (const { userId, streamNo, span } of withdrawn) await forgetLongest(inside, userId, streamNo, span.beganAt)
      const all = [...rows.values()]
      for (let at = 0; at < all.length; at += ROWS_AT_ONCE) await addRows(inside, all.slice(at, at + ROWS_AT_ONCE))
    },
  }
}

async function addRows(inside: Db, rows: readonly Insertable<StatSumTable>[]): Promise<void> {
  const plus = (column: string) => sql<number>`${sql.ref(`stat_sums.${column}`)} + ${sql.ref(`excluded.${column}`)}`
  const ofLongest = (column: string) =>
    sql<number>`case when excluded.longest_ms > stat_sums.longest_ms
      then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`stat_sums.${column}`)} end`
  await inside
    .insertInto('stat_sums')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'grain', 'at', 'platform', 'reason']).doUpdateSet({
        on_air_ms: plus('on_air_ms'),
        off_air_ms: plus('off_air_ms'),
        incidents: plus('incidents'),
        longest_ms: ofLongest('longest_ms'),
        longest_at: ofLongest('longest_at'),
        longest_no: ofLongest('longest_no'),
      }),
    )
    .execute()
}

async function forgetLongest(inside: Db, userId: string, streamNo: number, beganAt: number): Promise<void> {
  for (const { minutes, ms } of GRAINS) {
    await inside
      .updateTable('stat_sums')
      .set({ longest_ms: 0 })
      .where('user_id', '=', userId)
      .where('grain', '=', minutes)
      .where('at', '=', Math.floor(beganAt / ms))
      .where('reason', '=', RUNS)
      .where('longest_no', '=', streamNo)
      .where('longest_at', '=', beganAt)
      .execute()
  }
}

/** The hours of a day, and the quarters at its edges where it does not begin on the hour. */
function* rangesOf({ fromMs, toMs }: Day): Generator<[grain: number, from: number, to: number]> {
  const [first, last] = [Math.ceil(fromMs / HOUR_MS), Math.floor(toMs / HOUR_MS)]
  if (first < last) yield [HOURS.minutes, first, last]
  const quarters = (from: number, to: number): [number, number, number] => [
    QUARTERS.minutes,
    Math.round(from / QUARTER_MS),
    Math.round(to / QUARTER_MS),
  ]
  if (first * HOUR_MS > fromMs) yield quarters(fromMs, Math.min(toMs, first * HOUR_MS))
  if (last * HOUR_MS < toMs && last >= first) yield quarters(last * HOUR_MS, toMs)
}

export type SumsReads = ReturnType<typeof createSumsReads>

export function createSumsReads(db: Db, steps: SmallSteps = createSmallSteps()) {
  const list = jsonList(db)

  async function longestIn(userId: string, from: number, to: number, most: number): Promise<SummedRun[]> {
    if (from >= to) return []
    const rows = await db
      .selectFrom('stat_sums')
      .select(['longest_no', 'longest_at', 'longest_ms'])
      .where('user_id', '=', userId)
      .where('grain', '=', HOURS.minutes)
      .where('at', '>=', from)
      .where('at', '<', to)
      .where('reason', '=', RUNS)
      .where('longest_ms', '>', 0)
      .orderBy('longest_ms', 'desc')
      .limit(most)
      .execute()
    return rows.map((row) => ({
      streamNo: row.longest_no,
      beganAt: Number(row.longest_at),
      lastedMs: Number(row.longest_ms),
    }))
  }

  return {
    /** Day by day, in pages. */
    async *between(userId: string, days: readonly Day[]): AsyncGenerator<readonly DaySum[]> {
      for (let first = 0; first < days.length; first += DAYS_AT_ONCE) {
        await steps.of(userId)()
        const some = days.slice(first, first + DAYS_AT_ONCE)
        const ranges = some.flatMap((day, index) => [...rangesOf(day)].map((range) => [first + index, ...range]))
        const { rows } = await sql<DaySum>`
          select ${numberAt(0)} as day, platform, reason, sum(on_air_ms) as "onAirMs", sum(off_air_ms) as "offAirMs",
            sum(incidents) as incidents
          from ${list(ranges)} cross join stat_sums
          where user_id = ${userId} and grain = ${numberAt(1)} and at >= ${numberAt(2)} and at < ${numberAt(3)}
          group by ${numberAt(0)}, platform, reason`.execute(db)
        yield rows.map(({ onAirMs, offAirMs, incidents, ...row }) => ({
          ...row,
          onAirMs: Number(onAirMs),
          offAirMs: Number(offAirMs),
          incidents: Number(incidents),
        }))
      }
    },
    /**
     * Runs among which is the longest one of this time, as far as they are in the sums: those that lie in it, and those that may lie over its
     * edges, where only a part counts. Each hour has one.
     */
    async longest(userId: string, fromMs: number, toMs: number): Promise<SummedRun[]> {
      const [from, to] = [Math.floor(fromMs / HOUR_MS), Math.ceil(toMs / HOUR_MS)]
      const edge = LONG_MS / HOUR_MS
      const found = [
        ...(await longestIn(userId, from - edge, from + 1, EDGE_RUNS)),
        ...(await longestIn(userId, Math.max(from + 1, to - edge), to, EDGE_RUNS)),
      ]
      for (let at = from + 1; at < to - edge; at += HOURS_AT_ONCE) {
        await steps.of(userId)()
        found.push(...(await longestIn(userId, at, Math.min(at + HOURS_AT_ONCE, to - edge), 1)))
      }
      return found
    },
  }
}

/** The hours of an edge for each platform. */
const EDGE_RUNS = 300
