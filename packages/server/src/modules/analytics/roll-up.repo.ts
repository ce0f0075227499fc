import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { LIVE_STATE, MINUTE_MS, MINUTES_PER_HOUR, SLOTS_PER_MINUTE } from './sample-rules.ts'

export type RollUpRepo = ReturnType<typeof createRollUpRepo>
type Level = 'minutes' | 'hours'
type Figures = 'stat_samples' | 'stat_minutes'

const REPLACE = sql`do update set samples = excluded.samples, live = excluded.live, measured = excluded.measured,
  kbps = excluded.kbps, kbps_min = excluded.kbps_min, kbps_max = excluded.kbps_max, fps = excluded.fps,
  speed = excluded.speed, unsent_kb = excluded.unsent_kb`
const COLUMNS = sql`(at, stream_no, samples, live, measured, kbps, kbps_min, kbps_max, fps, speed, unsent_kb)`
const rounded = (value: ReturnType<typeof sql>) => sql`cast(round(${value}) as integer)`
/** Minutes count by how many figures they have, as do hours where several become one point. */
export const weighted = (column: 'kbps' | 'fps' | 'speed') => {
  const value = sql.ref(column)
  return rounded(
    sql`sum(cast(${value} as bigint) * measured) * 1.0 / nullif(sum(case when ${value} is not null then measured end), 0)`,
  )
}

/** Each minute and hour is made whole from what lies below it, however often: a second time changes nothing. */
export function createRollUpRepo(db: Db) {
  return {
    /** In its transaction nobody else moves the place. Null: there is none yet. */
    async lockPlace(inside: Db, name: Level): Promise<number | null> {
      const row = await inside
        .updateTable('stat_places')
        .set({ name })
        .where('name', '=', name)
        .returning('at')
        .executeTakeFirst()
      return row?.at ?? null
    },
    async placeOf(name: Level): Promise<number | null> {
      const row = await db.selectFrom('stat_places').select('at').where('name', '=', name).executeTakeFirst()
      return row?.at ?? null
    },
    async setPlace(inside: Db, name: Level, at: number): Promise<void> {
      await inside
        .insertInto('stat_places')
        .values({ name, at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ at }))
        .execute()
    },
    /** The first moment from one on that has figures; null: none has. */
    async firstFrom(inside: Db, table: Figures, from: number): Promise<number | null> {
      const row = await inside
        .selectFrom(table)
        .select('at')
        .where('at', '>=', from)
        .orderBy('at')
        .limit(1)
        .executeTakeFirst()
      return row?.at ?? null
    },
    async rollUpMinute(inside: Db, minute: number): Promise<void> {
      const first = minute * SLOTS_PER_MINUTE
      const live = sql`sum(case when state = ${sql.lit(LIVE_STATE)} then 1 else 0 end)`
      const averages = sql.join(['fps', 'speed'].map((column) => rounded(sql`avg(${sql.ref(column)} * 1.0)`)))
      await sql`
        insert into stat_minutes ${COLUMNS}
        select cast(${minute} as integer), stream_no, count(*), ${live}, count(kbps), ${rounded(sql`avg(kbps * 1.0)`)},
          min(kbps), max(kbps), ${averages}, max(unsent_kb)
        from stat_samples where at >= ${first} and at < ${first + SLOTS_PER_MINUTE} group by stream_no
        on conflict (at, stream_no) ${REPLACE}`.execute(inside)
      await sql`
        update stat_streams set seen_at = ${(minute + 1) * MINUTE_MS} where id in (
          select stream_no from stat_minutes where at = ${minute} and live > 0)`.execute(inside)
    },
    /** Which streams have figures in an hour, a slice of them, in order of their numbers. */
    async streamsOf(hour: number, after: number, most: number): Promise<number[]> {
      const first = hour * MINUTES_PER_HOUR
      const rows = await db
        .selectFrom('stat_minutes')
        .innerJoin('stat_streams', 'stat_streams.id', 'stat_minutes.stream_no')
        .select('stream_no')
        .distinct()
        .where('at', '>=', first)
        .where('at', '<', first + MINUTES_PER_HOUR)
        .where('stream_no', '>', after)
        .orderBy('stream_no')
        .limit(most)
        .execute()
      return rows.map(({ stream_no }) => stream_no)
    },
    async rollUpHour(hour: number, streamNos: readonly number[]): Promise<void> {
      const first = hour * MINUTES_PER_HOUR
      const [lowest, highest] = [streamNos[0] ?? 0, streamNos.at(-1) ?? 0]
      await sql`
        insert into stat_hours ${COLUMNS}
        select cast(${hour} as integer), stream_no, sum(samples), sum(live), sum(measured), ${weighted('kbps')},
          min(kbps_min), max(kbps_max), ${weighted('fps')}, ${weighted('speed')}, max(unsent_kb)
        from stat_minutes where at >= ${first} and at < ${first + MINUTES_PER_HOUR}
          and stream_no >= ${lowest} and stream_no <= ${highest}
          and exists (select 1 from stat_streams where stat_streams.id = stream_no)
        group by stream_no
        on conflict (stream_no, at) ${REPLACE}`.execute(db)
    },
    async clear(table: Figures, from: number, to: number): Promise<void> {
      await db.deleteFrom(table).where('at', '>=', from).where('at', '<', to).execute()
    },
    /** Hours stand by stream: those of streams that have been on air for longer than they are kept. */
    async clearHours(before: number, beforeMs: number): Promise<void> {
      await db
        .deleteFrom('stat_hours')
        .where('at', '<', before)
        .where('stream_no', 'in', ({ selectFrom }) =>
          selectFrom('stat_streams').select('id').where('asked_at', '<', beforeMs),
        )
        .execute()
    },
  }
}
