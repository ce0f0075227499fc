import { randomUUID } from 'node:crypto'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { DAY } from './support/analytics.ts'
import { analyticsStage, dateOf } from './support/analytics-stage.ts'
import { BOTH_DATABASES } from './support/databases.ts'
import { isLongForm } from './support/fault-table.ts'
import { type Measured, measureCalmest, measuredText, STALL_MS } from './support/rows-read.ts'

const TARGETS = 20
/** A run and an incident each, over a year. */
const BREAKS = isLongForm ? 25_000 : 1_000
const DAYS = 364

describe.each(BOTH_DATABASES)('analytics of a year at its limits, on $name', { timeout: 900_000 }, ({ open }) => {
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
    const month = dateOf(now - 40 * DAY).slice(0, 7)
    const calls: Record<string, () => Promise<unknown>> = {
      summary: () => person.get(`summary?${range}`),
      broadcasts: () => person.get(`broadcasts?${range}`),
      story: () => person.get(`broadcast/${broadcastId}`),
      report: () => person.get(`report?month=${month}`),
      'csv of days': () => person.text(`csv?kind=days&${range}`),
      'csv of broadcasts': () => person.text(`csv?kind=broadcasts&${range}`),
      'csv of incidents': () => person.text(`csv?kind=incidents&${range}`),
    }
    async function callAll(mostRows: number): Promise<Record<string, Measured<unknown>>> {
      const found: Record<string, Measured<unknown>> = {}
      for (const [what, work] of Object.entries(calls)) {
        const measured = await measureCalmest(work)
        process.stdout.write(measuredText(what, measured))
        expect(measured.mostRows, what).toBeLessThanOrEqual(mostRows)
        expect(measured.stallMs, what).toBeLessThan(5 * STALL_MS)
        found[what] = measured
      }
      return found
    }
    const dataOf = ({ summary }: Record<string, Measured<unknown>>) =>
      (summary?.result as { body?: { data?: object } } | undefined)?.body?.data
    const incidents = TARGETS * BREAKS
    const linesOf = (text: unknown) => String(text).trim().split('\r\n').length - 1
    const before = await callAll(4_000)
    const data = dataOf(before)
    await waitFor(
      'the spans to be counted',
      async () => {
        const left = await program.db
          .selectFrom('stat_spans')
          .select('id')
          .where('counted', '=', 0)
          .where('ended_at', 'is not', null)
          .limit(1)
          .execute()
        return left.length === 0
      },
      { everyMs: 200, timeoutMs: 800_000 },
    )
    const after = await callAll(4_000)
    expect(dataOf(after)).toEqual(data)
    expect(linesOf(after['csv of incidents']?.result)).toBe(linesOf(before['csv of incidents']?.result))
    expect(linesOf(after['csv of incidents']?.result)).toBeGreaterThan(incidents * 0.99)
    // A day of hours for one platform and one reason, with its names: nothing of the spans.
    expect(after['summary']?.rows).toBeLessThan(5_000)
    expect(after['report']?.rows).toBeLessThan(2_000)
    expect(after['csv of days']?.rows).toBeLessThan(5_000)
    const many = await measureCalmest(() => Promise.all(Array.from({ length: 60 }, () => calls['summary']?.())))
    process.stdout.write(measuredText('60 summaries', many))
    expect(many.stallMs).toBeLessThan(5 * STALL_MS)
  })
})
