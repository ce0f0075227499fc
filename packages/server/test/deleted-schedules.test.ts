import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { clearable } from '../src/modules/schedules/deleted-schedules.ts'
import { createSchedulesRepo } from '../src/modules/schedules/schedules.repo.ts'
import { isPostgres } from '../src/platform/db/database.ts'
import { dyingAfter } from './support/analytics-store.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'
import { measure } from './support/rows-read.ts'
import { DAILY, DAY_MS, DUE, HOUR_MS, scheduleSuite } from './support/schedule-suite.ts'

const HISTORY = 1_500
const MOST_AT_ONCE = 500
const INSERTED_AT_ONCE = 50

describe.each(REPO_DATABASES)('schedules that were deleted, on $name', ({ open }) => {
  const suite = scheduleSuite(open)

  /** A schedule that has been carried out for years, and is deleted. */
  async function addDeleted(): Promise<string> {
    const { db, world, userId } = suite
    const id = await world.add(DAILY)
    for (let from = 0; from < HISTORY; from += INSERTED_AT_ONCE) {
      const rows = Array.from({ length: INSERTED_AT_ONCE }, (_, index) => ({
        ...{ id: randomUUID(), schedule_id: id, user_id: userId, wall_date: '2026-01-01', state: 'ended' },
        ...{ due_at: DUE - (from + index + 1) * HOUR_MS, start_by: DUE, ends_at: DUE, end_at_pass: 0 },
      }))
      await db.insertInto('schedule_occurrences').values(rows).execute()
    }
    await world.repo.remove(id, userId, world.now())
    return id
  }
  const leftOf = async (id: string) => (await suite.world.occurrencesOf(id)).length

  it('[SAFE-07] go in small batches, each with its history', async () => {
    const { world } = suite
    const id = await addDeleted()
    expect(await leftOf(id)).toBe(HISTORY)
    const { mostChanged, statements } = await measure(() => world.repo.clearDeleted())
    expect(mostChanged).toBeLessThanOrEqual(MOST_AT_ONCE)
    expect(statements).toBeGreaterThan(HISTORY / MOST_AT_ONCE)
    expect([await leftOf(id), await world.repo.byId(id)]).toEqual([0, null])
  })

  it('[SAFE-07] go on where a killed program has stopped', async () => {
    const { db, world } = suite
    const id = await addDeleted()
    await createSchedulesRepo(dyingAfter(db, 5))
      .clearDeleted()
      .catch(() => {})
    const left = await leftOf(id)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(HISTORY)
    expect(await world.repo.byId(id)).not.toBeNull()
    await world.repo.clearDeleted(() => true)
    expect(await leftOf(id)).toBe(left)
    await world.repo.clearDeleted()
    expect([await leftOf(id), await world.repo.byId(id)]).toEqual([0, null])
  })

  it('leave at once what was to come of them, also what was to be left out', async () => {
    const { world, userId } = suite
    const id = await world.add({ ...DAILY, exceptions: ['2026-11-16', '2026-11-18'] })
    expect(await suite.statesOf(id)).toEqual(['skipped', 'due', 'skipped', 'due', 'due', 'due', 'due', 'due'])
    world.set(DUE + DAY_MS)
    await world.program().round()
    await world.repo.remove(id, userId, world.now())
    expect(await suite.statesOf(id)).toEqual(['skipped', 'started'])
  })

  it('[SAFE-07] are found by an index, and so is what has still to be ended', async () => {
    const { db } = suite
    const query = sql`select id from ${sql.table(clearable.table)} where ${clearable.where} limit 100`
    const plan = await db.transaction().execute(async (inside) => {
      // With so few rows it would not be worth it.
      if (isPostgres(inside)) await sql`set local enable_seqscan = off`.execute(inside)
      return (isPostgres(inside) ? sql`explain ${query}` : sql`explain query plan ${query}`).execute(inside)
    })
    const text = JSON.stringify(plan.rows)
    expect(text).toContain('schedules_deleted')
    expect(text).toContain('schedule_occurrences_waiting')
  })
})
