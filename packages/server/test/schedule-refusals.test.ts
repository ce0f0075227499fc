import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { scheduleWorld } from './support/schedule-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-11-16T05:00:00Z')
/** 13:00 in Jakarta, until 14:00. */
const DUE = NOON + HOUR_MS
const ONCE = { repeat: { kind: 'once', date: '2026-11-16' }, windows: [{ start: '13:00', end: '14:00' }] }

describe.each(REPO_DATABASES)('schedules whose broadcast no platform takes, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string
  let world: ReturnType<typeof scheduleWorld>

  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())
  beforeEach(async () => {
    await db.deleteFrom('schedules').execute()
    userId = await addUser(db)
    world = scheduleWorld(db, userId, NOON)
  })
  const statesOf = async (id: string) => (await world.occurrencesOf(id)).map(({ state }) => state)
  const factsOf = async (id: string) =>
    (await db.selectFrom('outbox').select(['fact', 'payload']).where('subject_id', '=', id).execute()).map(
      ({ fact, payload }) => ({ fact, ...JSON.parse(payload) }),
    )

  it('[SCHED-04] what no platform took says why, and is started again within its window as another broadcast, never beside the first', async () => {
    const id = await world.add(ONCE)
    const program = world.program()
    world.set(DUE)
    await program.round()
    const [first] = [...world.launched.keys()]
    const one = world.launched.get(first ?? '')
    if (!one) throw new Error('nothing was started')
    Object.assign(one, { refused: 'target-refused' })
    world.set(DUE + 10_000)
    await program.round()
    // Its keeper still tries: nothing is started beside it.
    expect(await world.occurrencesOf(id)).toMatchObject([{ state: 'started', reason: 'target-refused', attempt: 0 }])
    Object.assign(one, { isOver: true })
    world.set(DUE + 20_000)
    // Two programs look at once, and either may die at any moment.
    await Promise.all([program.round(), world.program().round()])
    expect(await world.occurrencesOf(id)).toMatchObject([
      { state: 'due', reason: 'target-refused', attempt: 1, broadcast_id: null },
    ])
    world.set(DUE + 60_000)
    await Promise.all([program.round(), world.program().round()])
    expect(world.launched.size).toBe(2)
    const [row] = await world.occurrencesOf(id)
    expect(row).toMatchObject({ state: 'started', reason: 'target-refused' })
    expect([...world.launched.keys()].at(-1)).toBe(row?.broadcast_id)
    expect(row?.broadcast_id).not.toBe(first)
    // This one is on air: nothing is left to be said, and it ends at its time.
    world.set(DUE + 80_000)
    await program.round()
    expect(await world.occurrencesOf(id)).toMatchObject([{ state: 'started', reason: null, watch_at: null }])
    world.set(DUE + HOUR_MS)
    await program.round()
    expect(world.launched.get(row?.broadcast_id ?? '')).toMatchObject({ end: 'stopped' })
    expect(await statesOf(id)).toEqual(['ended'])
  })

  it('[SCHED-04] refused until its window is over, it has failed and is told; a change meanwhile is tried at once', async () => {
    const id = await world.add(ONCE)
    const program = world.program()
    const refuse = () => {
      for (const one of world.launched.values()) Object.assign(one, { refused: 'target-refused', isOver: true })
    }
    world.set(DUE)
    await program.round()
    refuse()
    world.set(DUE + 10_000)
    await program.round()
    await world.repo.change(id, userId, { title: 'Kunci baru' }, world.now())
    await program.round()
    expect(world.launched.size).toBe(2)
    for (const minute of [1, 2, 5, 10, 20, 40, 59]) {
      refuse()
      world.set(DUE + minute * MINUTE_MS)
      await program.round()
      await program.round()
    }
    refuse()
    world.set(DUE + HOUR_MS)
    await program.round()
    await program.round()
    expect(await world.occurrencesOf(id)).toMatchObject([{ state: 'failed', reason: 'target-refused' }])
    expect(await factsOf(id)).toMatchObject([{ fact: 'schedule.failed', reason: 'target-refused' }])
    expect(world.launched.size).toBeGreaterThan(3)
    expect([...world.launched.values()].every(({ isOver }) => isOver)).toBe(true)
  })
})
