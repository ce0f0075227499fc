import { randomUUID } from 'node:crypto'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createSpanCounter } from '../src/modules/analytics/count-spans.ts'
import { DAY } from './support/analytics.ts'
import { analyticsStage, dateOf } from './support/analytics-stage.ts'
import { BOTH_DATABASES, SQLITE } from './support/databases.ts'
import { isLongForm } from './support/fault-table.ts'
import { type Measured, measureCalmest, measuredText, STALL_MS } from './support/rows-read.ts'

const TARGETS = 20
/** A run and an incident each: a million in a year, or more than one page may hold. Each is short enough for the sums. */
const { BREAKS, DAYS } = isLongForm ? { BREAKS: 25_000, DAYS: 364 } : { BREAKS: 60, DAYS: 4 }
const MOST_ROWS = 1_001

const firstCell = (line: string) => line.split(',')[0] ?? ''

describe.each(isLongForm || isWholeRun ? BOTH_DATABASES : [SQLITE])(
  'analytics of a year at its limits, on $name',
  { timeout: 900_000 },
  ({ open }) => {
    const stage = analyticsStage(open)

    /** As an older version has left them: nothing of it is summed. */
    async function fill(userId: string, from: number): Promise<string> {
      const { db } = stage.program
      const broadcastId = randomUUID()
      const stepMs = Math.floor((DAYS * DAY) / BREAKS)
      for (let target = 0; target < TARGETS; target++) {
        const { id: stream_no } = await db
          .insertInto('stat_streams')
          .values({
            ...{ stream_id: randomUUID(), broadcast_id: broadcastId, user_id: userId, title: 'Setahun' },
            ...{ platform: 'youtube', target_name: null, asked_at: from, known_from: from, first_live_at: from },
            ended_at: from + BREAKS * stepMs,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await sql`
        insert into stat_spans (stream_no, kind, began_at, ended_at, reason, outcome)
        with recursive places(place) as (
          select 0 union all select place + 1 from places where place + 1 < ${sql.lit(2 * BREAKS)})
        select cast(${stream_no} as integer),
          case when place % 2 = 0 then 'run' else 'incident' end,
          cast(${from} as bigint) + cast((place / 2) as bigint) * ${sql.lit(stepMs)}
            + case when place % 2 = 0 then 0 else ${sql.lit(stepMs - 4_000)} end,
          cast(${from} as bigint) + cast((place / 2) as bigint) * ${sql.lit(stepMs)}
            + case when place % 2 = 0 then ${sql.lit(stepMs - 4_000)} else ${sql.lit(stepMs)} end,
          case when place % 2 = 0 then null else 'target-closed' end,
          case when place % 2 = 0 then null else 'recovered' end
        from places`.execute(db)
      }
      return broadcastId
    }

    it('[SAFE-07] every answer is bounded by its range, before and after its spans are counted', async () => {
      const { program, somebody } = stage
      const person = await somebody()
      const now = program.clock.now()
      const from = Math.floor((now - DAYS * DAY) / DAY) * DAY
      const broadcastId = await fill(person.id, from)
      const range = `from=${dateOf(from + DAY)}&to=${dateOf(now)}&zone=Asia/Kathmandu`
      const month = dateOf(now - (DAYS / 2) * DAY).slice(0, 7)
      const incidents = () => person.text(`csv?kind=incidents&${range}`)
      const calls: Record<string, () => Promise<unknown>> = {
        summary: () => person.get(`summary?${range}`),
        broadcasts: () => person.get(`broadcasts?${range}`),
        story: () => person.get(`broadcast/${broadcastId}`),
        report: () => person.get(`report?month=${month}`),
        'csv of days': () => person.text(`csv?kind=days&${range}`),
        'csv of broadcasts': () => person.text(`csv?kind=broadcasts&${range}`),
        'csv of incidents': incidents,
      }
      async function callAll(): Promise<Record<string, Measured<unknown>>> {
        const found: Record<string, Measured<unknown>> = {}
        for (const [what, work] of Object.entries(calls)) {
          const measured = await measureCalmest(work)
          process.stdout.write(measuredText(what, measured))
          expect(measured.mostRows, what).toBeLessThanOrEqual(MOST_ROWS)
          expect(measured.stallMs, what).toBeLessThan(5 * STALL_MS)
          found[what] = measured
        }
        return found
      }
      const dataOf = ({ summary }: Record<string, Measured<unknown>>) =>
        (summary?.result as { body?: { data?: object } } | undefined)?.body?.data
      /** The ids of the incidents that the table tells of, in order. */
      const idsIn = (text: unknown) => String(text).trim().split('\r\n').slice(1).map(firstCell).sort()
      const before = await callAll()
      expect(dataOf(before)).toBeDefined()
      const told = idsIn(before['csv of incidents']?.result)
      expect(told.length).toBeGreaterThan(TARGETS * BREAKS * 0.7)
      let isCounted = false
      const counted = createSpanCounter({ db: program.db, readerName: 'analytics' })
        .countAll(() => false)
        .finally(() => {
          isCounted = true
        })
      while (!isCounted) expect(idsIn(await incidents())).toEqual(told)
      await counted
      const after = await callAll()
      expect(dataOf(after)).toEqual(dataOf(before))
      expect(idsIn(after['csv of incidents']?.result)).toEqual(told)
      // A day of hours for one platform and one reason, with its names: nothing of the spans.
      expect(after['summary']?.rows).toBeLessThan(5_000)
      expect(after['report']?.rows).toBeLessThan(2_000)
      expect(after['csv of days']?.rows).toBeLessThan(5_000)
      const many = await measureCalmest(() => Promise.all(Array.from({ length: 60 }, () => calls['summary']?.())))
      process.stdout.write(measuredText('60 summaries', many))
      expect(many.stallMs).toBeLessThan(5 * STALL_MS)
    })
  },
)
