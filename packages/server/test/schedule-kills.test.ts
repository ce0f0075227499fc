import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { scheduleWorld } from './support/schedule-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-11-16T05:00:00Z')

describe.each(REPO_DATABASES)('schedules whose programs die, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
    userId = await addUser(db)
  })
  afterAll(() => close())

  it('[SCHED-02] killed at any moments, any number of times: every occurrence starts once, none early', async () => {
    const kills = fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(kills, fc.integer({ min: 0, max: 30 }), async (lives, lateMinutes) => {
        const run = scheduleWorld(db, userId, NOON)
        const windows = ['13:00', '14:00', '15:00', '16:00'].map((start) => ({ start, minutes: 60 }))
        const id = await run.add({ repeat: { kind: 'once', date: '2026-11-16' }, windows })
        const left = [...lives]
        for (let hour = 1; hour <= 4; hour++) {
          // Two programs side by side, each of which lives for so many effects; then the next of its kind begins.
          for (let step = 0; step < 4 && (step === 0 || left.length > 0); step++) {
            run.set(NOON + hour * HOUR_MS + (lateMinutes + step * 5) * MINUTE_MS)
            let life = left.shift() ?? Number.POSITIVE_INFINITY
            await Promise.all([run.program(() => life-- <= 0).round(), run.program(() => life-- <= 0).round()])
          }
          run.set(NOON + hour * HOUR_MS + 55 * MINUTE_MS)
          await run.program().round()
        }
        const rows = await run.occurrencesOf(id)
        expect(rows.map(({ state }) => state)).toEqual(['ended', 'ended', 'ended', 'started'])
        for (const row of rows) expect(run.launched.get(row.id)?.at).toBeGreaterThanOrEqual(row.due_at)
        expect(run.launched.size).toBe(4)
        const told = await db.selectFrom('outbox').select(['fact', 'payload']).where('subject_id', '=', id).execute()
        const started = told.map(({ fact, payload }) => [fact, JSON.parse(payload).streamId])
        expect(started.sort()).toEqual(rows.map((row) => ['schedule.started', row.id]).sort())
        await run.repo.remove(id, userId, run.now())
        await db.deleteFrom('schedules').execute()
      }),
      { numRuns: 25 },
    )
  })
})
