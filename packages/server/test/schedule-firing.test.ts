import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../src/errors.ts'
import { createOccurrencesRepo, type OccurrenceRow } from '../src/modules/schedules/occurrences.repo.ts'
import { pauseStatements } from '../src/platform/backup/pause-broadcasts.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { DAILY, DAY_MS, DUE, HOUR_MS, MINUTE_MS, NOON, ONCE, scheduleSuite } from './support/schedule-suite.ts'
import { scheduleWorld } from './support/schedule-world.ts'

describe.each(REPO_DATABASES)('schedules, on $name', ({ open }) => {
  const suite = scheduleSuite(open)
  const { statesOf, factsOf } = suite

  it('[SCHED-02] nothing is early; at its minute it starts once, and ends to the second', async () => {
    const { world } = suite
    const id = await world.add(ONCE)
    const program = world.program()
    world.set(DUE - 1)
    await program.round()
    expect(world.launched.size).toBe(0)
    world.set(DUE)
    await program.round()
    const [row] = await world.occurrencesOf(id)
    expect(row).toMatchObject({ state: 'started', broadcast_id: row?.id, due_at: DUE, started_at: DUE, reason: null })
    for (const [at, end] of [
      [DUE + HOUR_MS - 1, null],
      [DUE + HOUR_MS, 'stopped'],
    ] as const) {
      world.set(at)
      await program.round()
      expect([...world.launched.values()]).toMatchObject([{ end }])
    }
    expect(await statesOf(id)).toEqual(['ended'])
  })

  it('[SCHED-02] two programs at the same moment start each of a hundred once', async () => {
    const { db, world } = suite
    for (let count = 0; count < 100; count++) await world.add(ONCE)
    world.set(DUE)
    const [one, other] = [world.program(), world.program()]
    let waiting: Promise<OccurrenceRow[]> | undefined
    const claimed = await db.transaction().execute(async (inside) => {
      const rows = await createOccurrencesRepo(inside).claim(DUE, 20)
      // It has found the same rows, and waits for them.
      waiting = other.occurrences.claim(DUE, 20)
      await sleep(100)
      return rows
    })
    const claims = [claimed, (await waiting) ?? []]
    claims.push(...(await Promise.all([one, other, one, other].map(({ occurrences }) => occurrences.claim(DUE, 60)))))
    const ids = claims.flat().map(({ id }) => id)
    expect(ids).toHaveLength(100)
    expect(new Set(ids).size).toBe(100)
    for (const row of claims.flat()) expect(await one.fire(row)).toBe(true)
    expect(world.launched.size).toBe(100)
  })

  it('[SCHED-02] the many of one user leave places for the one of another, who is asked for alone once the first has enough', async () => {
    const { db, world } = suite
    const other = scheduleWorld(db, await addUser(db), NOON)
    for (let count = 0; count < 12; count++) await world.add(ONCE)
    const alone = await other.add(ONCE)
    const { occurrences } = world.program()
    const claimed = await occurrences.claim(DUE, 8, { mostEach: 5 })
    const mine = claimed.filter(({ schedule_id }) => schedule_id !== alone)
    expect([claimed.length, mine.length]).toEqual([6, 5])
    const except = mine.slice(0, 1).map(({ user_id }) => user_id)
    expect(await occurrences.claim(DUE, 8, { mostEach: 5, except })).toEqual([])
    expect((await occurrences.nextAt(except)) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(DUE)
    expect(await occurrences.nextAt()).toBe(DUE)
  })

  it('[SCHED-02] killed between the claim and the launch, it starts once its claim has lapsed, or at once where nobody else can hold it', async () => {
    const { world } = suite
    const id = await world.add(ONCE)
    world.set(DUE)
    let calls = 0
    // The claim is the first effect; before the second it dies.
    await world.program(() => ++calls > 2).round()
    expect(await statesOf(id)).toEqual(['starting'])
    const next = world.program()
    await next.round()
    expect(world.launched.size).toBe(0)
    await next.occurrences.releaseAll(DUE)
    await next.round()
    expect(world.launched.size).toBe(1)
    expect(await statesOf(id)).toEqual(['started'])
  })

  it('[SCHED-02] killed between the launch and the note of it, it is not started again', async () => {
    const { world } = suite
    const id = await world.add(ONCE)
    world.set(DUE)
    const program = world.program(() => world.launched.size > 0)
    await program.round()
    expect(program.isDead()).toBe(true)
    expect(await statesOf(id)).toEqual(['starting'])
    world.set(DUE + MINUTE_MS)
    await world.program().round()
    expect(world.launched.size).toBe(1)
    expect(await statesOf(id)).toEqual(['started'])
  })

  it('[SCHED-02] whoever was slow changes nothing that another has done since', async () => {
    const { world } = suite
    const id = await world.add(ONCE)
    world.set(DUE)
    const [slow, quick] = [world.program(), world.program()]
    const [row] = await slow.occurrences.claim(DUE, 1)
    world.set(DUE + MINUTE_MS)
    await quick.round()
    if (row) await slow.occurrences.putOff(row, DUE + 2 * MINUTE_MS)
    expect(await world.occurrencesOf(id)).toMatchObject([{ state: 'started', next_try_at: DUE + HOUR_MS }])
    if (row) expect(await slow.fire(row)).toBe(true)
    expect(await statesOf(id)).toEqual(['started'])
    expect(world.launched.size).toBe(1)
  })

  it('[SCHED-03] missed while nobody was there: late while its window lasts, else told as missed', async () => {
    const { world } = suite
    const id = await world.add(DAILY)
    world.set(DUE + 2 * DAY_MS + 59 * MINUTE_MS)
    await world.program().round()
    expect((await statesOf(id)).slice(0, 4)).toEqual(['missed', 'missed', 'started', 'due'])
    expect((await factsOf(id)).filter(({ fact }) => fact === 'schedule.missed')).toEqual(
      [DUE, DUE + DAY_MS].map((dueAt) => ({
        ...{ fact: 'schedule.missed', scheduleId: id, title: 'Pagi', dueAt, reason: 'server-away' },
      })),
    )
    expect(world.lines).toEqual(['schedule-missed', 'schedule-missed', 'schedule-late'])
  })

  it('[SCHED-03] away for longer than is planned ahead: what came due meanwhile is not forgotten', async () => {
    const { world } = suite
    const id = await world.add(DAILY)
    world.set(DUE + 12 * DAY_MS + MINUTE_MS)
    const runner = world.program().runner()
    await runner.start()
    await waitFor('all to be told', async () => (await factsOf(id)).length === 13 && world.launched.size === 1)
    await runner.stop()
    expect((await statesOf(id)).slice(0, 14)).toEqual([...Array(12).fill('missed'), 'started', 'due'])
  })

  it('[SCHED-02] a clock that is set back starts nothing twice; set forward past a window, it is missed', async () => {
    const { world } = suite
    const id = await world.add(DAILY)
    const program = world.program()
    for (const at of [DUE, DUE - HOUR_MS, DUE, DUE + MINUTE_MS, DUE - DAY_MS, DUE]) {
      world.set(at)
      await program.round()
    }
    expect(world.launched.size).toBe(1)
    world.set(DUE + DAY_MS + 2 * HOUR_MS)
    await program.round()
    expect((await statesOf(id)).slice(0, 2)).toEqual(['ended', 'missed'])
    world.set(DUE + DAY_MS)
    await program.round()
    expect(world.launched.size).toBe(1)
  })

  it('[SCHED-04] what cannot start says why, is tried again within its window, and fails when that is over', async () => {
    const { world } = suite
    const id = await world.add(ONCE)
    const program = world.program()
    world.refuse(new DomainError('plan_limit', 'penuh'))
    for (const at of [DUE, DUE + 1_000, DUE + 2_000]) {
      world.set(at)
      await program.round()
    }
    expect(await world.occurrencesOf(id)).toMatchObject([{ state: 'due', reason: 'plan-limit', tries: 2 }])
    // The last try is at the end of the window, however long the wait would be.
    world.set(DUE + HOUR_MS - 1_000)
    await program.round()
    world.set(DUE + HOUR_MS)
    await program.round()
    expect(await world.occurrencesOf(id)).toMatchObject([{ state: 'failed', reason: 'plan-limit' }])
    expect(await factsOf(id)).toMatchObject([{ fact: 'schedule.failed', reason: 'plan-limit' }])

    const again = await world.add({ ...DAILY, windows: [{ start: '15:00', minutes: 30 }] })
    world.set(NOON + 3 * HOUR_MS)
    await program.round()
    world.refuse(null)
    world.set(NOON + 3 * HOUR_MS + 2_000)
    await program.round()
    expect((await world.occurrencesOf(again))[0]).toMatchObject({ state: 'started', reason: null })
  })

  it('[SCHED-04] mended while it is tried again, it starts with what is new; paused or deleted, it does not', async () => {
    const { userId, world } = suite
    const ids = [await world.add(ONCE), await world.add(ONCE), await world.add(ONCE)]
    const [mended = '', paused = '', deleted = ''] = ids
    world.refuse(new DomainError('source_invalid', 'hilang'))
    world.set(DUE)
    await world.program().round()
    world.refuse(null)
    world.set(DUE + 5_000)
    await world.repo.change(mended, userId, { title: 'Baru' }, world.now())
    await world.repo.change(paused, userId, { paused_at: world.now() }, world.now())
    await world.repo.remove(deleted, userId, world.now())
    await world.program().round()
    expect(await statesOf(mended)).toEqual(['started'])
    expect(await statesOf(paused)).toEqual([])
    expect(world.launched.size).toBe(1)
    await world.repo.clearDeleted()
    expect(await world.repo.byId(deleted)).toBeNull()
  })

  it('[SCHED-04] a change while it is on air moves its end, and a deleted one still ends at its time', async () => {
    const { userId, world } = suite
    const id = await world.add(DAILY, true)
    const program = world.program()
    world.set(DUE)
    await program.round()
    const rule = JSON.stringify({
      ...DAILY,
      exceptions: [],
      zone: 'Asia/Jakarta',
      windows: [{ start: '13:00', end: '15:00' }],
    })
    await world.repo.change(id, userId, { rule }, world.now())
    await world.repo.remove(id, userId, world.now())
    await world.repo.clearDeleted()
    world.set(DUE + HOUR_MS)
    await program.round()
    expect([...world.launched.values()]).toMatchObject([{ end: null }])
    world.set(DUE + 2 * HOUR_MS)
    await program.round()
    expect([...world.launched.values()]).toMatchObject([{ end: 'ending' }])
    await world.repo.clearDeleted()
    expect(await world.repo.byId(id)).toBeNull()
  })

  it('[SCHED-01] one without an end goes on: the next day finds it on air and lets it be', async () => {
    const { world } = suite
    const id = await world.add({ ...DAILY, windows: [{ start: '13:00' }] })
    world.set(DUE)
    await world.program().round()
    world.refuse(new DomainError('target_in_use', 'dipakai'))
    world.set(DUE + DAY_MS)
    await world.program().round()
    const rows = await world.occurrencesOf(id)
    expect(rows.slice(0, 2).map(({ state, reason }) => reason ?? state)).toEqual(['started', 'still-on-air'])
  })

  it('in a restored copy they are paused: a copy starts nothing beside its original', async () => {
    const { db, world } = suite
    const [id, onAir] = [await world.add(DAILY), await world.add(ONCE)]
    world.set(DUE)
    await world.program().round()
    const schema = Object.keys(migrations).at(-1) ?? ''
    const statements = pauseStatements({ takenAt: DUE, schema, cause: 'restored' })
    for (const each of statements.split(';\n').filter(Boolean)) await sql.raw(each).execute(db)
    world.set(DUE + DAY_MS)
    const runner = world.program().runner()
    await runner.start()
    await world.program().round()
    await runner.stop()
    expect(world.launched.size).toBe(2)
    expect(await statesOf(id)).toEqual(['ended'])
    expect(await world.repo.byId(onAir)).toMatchObject({ paused_at: DUE })
  })

  it('a plan by a rule that was changed meanwhile writes nothing', async () => {
    const { userId, world } = suite
    const id = await world.add(DAILY)
    const old = await world.repo.byId(id)
    const rule = JSON.stringify({ ...DAILY, exceptions: [], zone: 'Asia/Jakarta', windows: [{ start: '20:00' }] })
    await world.repo.change(id, userId, { rule }, NOON)
    if (old) await world.repo.plan({ ...old, planned_until: NOON }, NOON)
    const hours = (await world.occurrencesOf(id)).map(({ due_at }) => new Date(due_at).getUTCHours())
    expect(new Set(hours)).toEqual(new Set([13]))
  })
})
