import { describe, expect, it } from 'vitest'
import { REPO_DATABASES } from './support/repo-databases.ts'
import { DUE, HOUR_MS, MINUTE_MS, ONCE, scheduleSuite } from './support/schedule-suite.ts'

describe.each(REPO_DATABASES)('schedules whose broadcast no platform takes, on $name', ({ open }) => {
  const suite = scheduleSuite(open)
  const { statesOf, factsOf } = suite

  it('[SCHED-04] what no platform took says why, and is started again within its window as another broadcast, never beside the first', async () => {
    const { world } = suite
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
    const { userId, world } = suite
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
    const told = (await factsOf(id)).filter(({ fact }) => fact !== 'schedule.restarted')
    expect(told).toMatchObject([{ fact: 'schedule.started' }, { fact: 'schedule.failed', reason: 'target-refused' }])
    expect(world.launched.size).toBeGreaterThan(3)
    expect([...world.launched.values()].every(({ isOver }) => isOver)).toBe(true)
  })
})
