import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createClockMends } from '../src/modules/schedules/mend-clock.ts'
import type { Db } from '../src/platform/db/database.ts'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { startProgram } from './support/program.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'
import { DAILY, DAY_MS, DUE, HOUR_MS, MINUTE_MS, NOON, scheduleSuite } from './support/schedule-suite.ts'
import { dailyAt, minuteAfter, scheduler } from './support/schedules.ts'

const SETTLE_MS = 60_000
/** After a jump of more than ten minutes. */
const LONG_SETTLE_MS = 600_000
/** Looks of the runner at its clocks: by each of its four parts, several times. */
const MANY_LOOKS = 20

describe('over HTTP', () => {
  it('[SCHED-02] what a clock that was 40 days ahead has marked as missed is planned again at the next true look', async () => {
    const program = await startProgram()
    const person = await scheduler(program)
    const due = minuteAfter(program.clock.now(), 10 * MINUTE_MS)
    const { id } = (await person.create(dailyAt(due, 30))).body.data
    const before = await person.upcoming()
    expect(before).toHaveLength(8)
    program.clock.move(40 * DAY_MS)
    // Here it is believed at once: so it is for a clock that stays wrong for longer than ten minutes.
    await waitFor(
      'the harm',
      async () => (await person.rowsOf(id)).filter(({ state }) => state === 'missed').length >= 8,
    )
    program.clock.move(-40 * DAY_MS)
    await waitFor('it to be made right', async () =>
      (await person.upcoming()).every(({ state }) => state === 'due'),
    ).catch(() => {})
    expect((await person.upcoming()).map(({ dueAt, state }) => `${dueAt} ${state}`)).toEqual(
      before.map(({ dueAt }) => `${dueAt} due`),
    )
    program.clock.move(due - program.clock.now())
    await waitFor('its start', async () => (await person.rowsOf(id))[0]?.broadcast_id)
    await program.close()
  })

  it('[SCHED-02] the program judges its clock in one place: a step that has stood holds up the clearing of old rows no more', async () => {
    const schedules = { ...USUAL_TIMINGS.schedules, everyMs: 20, aloneEveryMs: 20, settleMs: 500 }
    const program = await startProgram({}, { schedules, oldRows: { firstAfterMs: 0, everyMs: 10 } })
    const count = (words: string): number => program.logged().split(words).length - 1
    await waitFor('a true round', async () => count('old rows cleared') > 0)
    program.clock.move(5_000)
    await waitFor('the step to be seen', async () => count('the clock was set forward') > 0)
    await waitFor('the step to have stood', async () => count('schedules go by the clock again') > 0)
    const cleared = count('old rows cleared')
    await waitFor('another round', async () => count('old rows cleared') > cleared)
    expect(count('the clock was set forward')).toBe(1)
    await program.close()
  })
})

describe.each(REPO_DATABASES)('schedules and a clock that is set, on $name', ({ open }) => {
  const suite = scheduleSuite(open)
  const { statesOf, factsOf } = suite
  let runner: ReturnType<ReturnType<typeof suite.world.program>['runner']> | undefined
  afterEach(async () => {
    await runner?.stop()
  })

  async function run(how: { isBooted?: boolean } = {}): Promise<void> {
    await runner?.stop()
    runner = suite.world.program().runner({ settleMs: SETTLE_MS, ...how })
    await runner.start()
    await looked()
  }
  async function looked(): Promise<void> {
    const from = suite.world.looks()
    await waitFor('some looks', async () => suite.world.looks() > from + MANY_LOOKS, { everyMs: 5 })
  }
  /** By the second, as the true time passes. */
  async function pass(ms: number): Promise<void> {
    suite.world.set(suite.world.now() + ms)
    await looked()
  }
  async function setClock(byMs: number): Promise<void> {
    suite.world.setClock(suite.world.now() + byMs)
    await looked()
  }
  const launchedAt = () => [...suite.world.launched.values()].map(({ at, end }) => ({ at, end }))

  it.each([
    ['40 days ahead for 17 s', 40 * DAY_MS, 17_000],
    ['2 hours ahead for 7 s', 2 * HOUR_MS, 7_000],
    ['an hour ahead for 50 s', HOUR_MS, 50_000],
    ['two hours ahead for 9 minutes', 2 * HOUR_MS, 9 * MINUTE_MS],
  ])('[SCHED-02] %s: nothing is missed, started or ended, and all comes at its time', async (_, byMs, forMs) => {
    const { world } = suite
    const onAir = await world.add({ ...DAILY, windows: [{ start: '11:30', end: '13:30' }] })
    const later = [await world.add(DAILY), await world.add({ ...DAILY, windows: [{ start: '14:00', minutes: 20 }] })]
    world.set(NOON)
    await run()
    // It began before there was anything else to do: planned when it was late already.
    const before = await Promise.all([onAir, ...later].map(statesOf))
    await setClock(byMs)
    await pass(forMs)
    expect(await Promise.all([onAir, ...later].map(statesOf))).toEqual(before)
    expect(world.launched.size).toBe(0)
    await setClock(-byMs)
    expect(await Promise.all([onAir, ...later].map(statesOf))).toEqual(before)
    await pass(DUE - world.now())
    expect(launchedAt()).toEqual([{ at: DUE, end: null }])
    // With one on air: it is not ended either.
    await setClock(byMs)
    await pass(forMs)
    await setClock(-byMs)
    expect(launchedAt()).toEqual([{ at: DUE, end: null }])
    await pass(DUE + HOUR_MS - world.now())
    await waitFor('the next', async () => world.launched.size === 2)
    expect(launchedAt().map(({ end }) => end)).toEqual(['stopped', null])
    expect((await Promise.all(later.map(factsOf))).flat().map(({ fact }) => fact)).toEqual(
      Array(2).fill('schedule.started'),
    )
  })

  it('[SCHED-02] an hour behind and forward again: what came due meanwhile starts at once, and late as it is', async () => {
    const { world } = suite
    const id = await world.add(DAILY)
    await run()
    await setClock(-HOUR_MS)
    await pass(30_000)
    expect(world.launched.size).toBe(0)
    await setClock(HOUR_MS + HOUR_MS)
    expect(world.launched.size).toBe(0)
    // It has stood for ten minutes: so it is the time.
    await pass(LONG_SETTLE_MS)
    await waitFor('its start', async () => (await statesOf(id))[0] === 'started')
    expect(world.launched.size).toBe(1)
  })

  it('[SCHED-02] a hardware clock in local time at boot: nothing happens until it is set right', async () => {
    const { world } = suite
    const [onAir, id] = [
      await world.add({ ...DAILY, windows: [{ start: '12:10', end: '13:30' }] }),
      await world.add({ ...DAILY, windows: [{ start: '15:00', end: '16:00' }] }),
    ]
    await run()
    await pass(10 * MINUTE_MS)
    await waitFor('its start', async () => world.launched.size === 1)
    await runner?.stop()
    world.set(world.now() + 2 * MINUTE_MS)
    world.setClock(world.now() + 7 * HOUR_MS)
    await run({ isBooted: true })
    // A modem that was without power as well needs a while until a time server can be asked.
    await pass(9 * MINUTE_MS)
    expect((await statesOf(onAir))[0]).toBe('started')
    expect((await statesOf(id))[0]).toBe('due')
    expect(launchedAt().map(({ end }) => end)).toEqual([null])
    await setClock(-7 * HOUR_MS)
    await pass(NOON + 3 * HOUR_MS - world.now())
    await waitFor('both', async () => world.launched.size === 2)
    expect(launchedAt().map(({ end }) => end)).toEqual(['stopped', null])
  })

  it('[SCHED-02] wrong for longer than it waits: one that was started early stays on air and is not started twice, the others come', async () => {
    const { world } = suite
    const early = await world.add({ ...DAILY, windows: [{ start: '13:00', end: '16:00' }] })
    const lost = await world.add({ ...DAILY, windows: [{ start: '12:30', end: '12:50' }] })
    await run()
    await setClock(2 * HOUR_MS)
    await pass(LONG_SETTLE_MS + 1_000)
    await waitFor('the harm', async () => (await statesOf(lost))[0] === 'missed' && world.launched.size === 1)
    await setClock(-2 * HOUR_MS)
    await waitFor('it to be made right', async () => (await statesOf(lost))[0] === 'due')
    await pass(NOON + 30 * MINUTE_MS - world.now())
    await waitFor('its start', async () => (await statesOf(lost))[0] === 'started')
    await pass(DUE + MINUTE_MS - world.now())
    expect((await statesOf(early))[0]).toBe('started')
    expect(world.launched.size).toBe(2)
    expect(launchedAt().map(({ end }) => end)).toEqual([null, 'stopped'])
  })

  it('[SCHED-02] wrong for longer than it waits: what it ended goes on, but for what its owner had stopped', async () => {
    const { world } = suite
    const rule = { ...DAILY, windows: [{ start: '12:10', end: '13:30' }] }
    const [ended, ending, stopped, paused] = [
      await world.add(rule),
      await world.add(rule, true),
      await world.add(rule),
      await world.add(rule),
    ]
    const firsts = async () =>
      Promise.all([ended, ending, stopped, paused].map(async (id) => (await world.occurrencesOf(id))[0]))
    const states = async () => (await firsts()).map((row) => row?.state)
    await run()
    await pass(10 * MINUTE_MS)
    await waitFor('all', async () => (await states()).every((state) => state === 'started'))
    const begun = (await firsts()).map((row) => row?.broadcast_id ?? '')
    world.stopByOwner(begun[2] ?? '')
    await setClock(2 * HOUR_MS)
    await pass(LONG_SETTLE_MS + 1_000)
    await waitFor('the harm', async () => (await states()).every((state) => state === 'ended'))
    await world.repo.change(paused, suite.userId, { paused_at: world.now() }, world.now())
    await setClock(-2 * HOUR_MS)
    await waitFor('them to go on', async () => (await states())[0] === 'started').catch(() => {})
    await looked()
    expect(await states()).toEqual(['started', 'started', 'ended', 'ended'])
    expect(world.launched.size).toBe(5)
    const [again, same] = await firsts()
    expect([again?.attempt, again?.broadcast_id === begun[0]]).toEqual([1, false])
    expect([same?.attempt, same?.broadcast_id === begun[1]]).toEqual([0, true])
    await pass(NOON + 90 * MINUTE_MS - world.now())
    await waitFor('the true end', async () => (await states()).every((state) => state === 'ended'))
    // By name: four that are due at once are launched in any order.
    const ends = [...begun, again?.broadcast_id ?? ''].map((id) => world.launched.get(id)?.end)
    expect(ends).toEqual(['stopped', 'ending', null, 'stopped', 'stopped'])
  })

  it('[SCHED-02] one end that cannot be taken back holds up no other', async () => {
    const { db, world } = suite
    const ids = [await world.add(DAILY), await world.add(DAILY), await world.add(DAILY)].toSorted()
    await db.updateTable('schedule_occurrences').set({ state: 'ended' }).where('due_at', '=', DUE).execute()
    const ended = db.selectFrom('schedule_occurrences').select('id').where('state', '=', 'ended').orderBy('id')
    const first = await ended.executeTakeFirst()
    const revokeEnd = async (_: Db, broadcastId: string) => {
      if (broadcastId === first?.id) throw new Error('this end cannot be taken back')
      return 'goes-on' as const
    }
    expect(await createClockMends(db, revokeEnd, pino({ level: 'silent' })).takeBackEnds(NOON)).toBe(2)
    const firsts = await Promise.all(ids.map(async (id) => (await statesOf(id))[0]))
    expect(firsts.toSorted()).toEqual(['ended', 'started', 'started'])
  })

  it('[SCHED-02] a start that a wrong clock has put off is tried at the true time; the dates that it did not plan are planned', async () => {
    const { db, userId, world } = suite
    const [id, late] = [await world.add(DAILY), await world.add(DAILY)]
    world.set(DUE)
    await world.program().round()
    await run()
    const [begun] = await world.occurrencesOf(late)
    // As a program with a wrong clock leaves them: one put off, one planned from there on.
    await db
      .updateTable('schedule_occurrences')
      .set({ state: 'due', next_try_at: DUE + 41 * DAY_MS, broadcast_id: null, watch_at: null })
      .where('id', '=', begun?.id ?? '')
      .execute()
    await runner?.stop()
    world.launched.clear()
    world.setClock(DUE + 40 * DAY_MS)
    await world.repo.change(id, userId, { title: 'Baru' }, world.now())
    runner = world.program().runner({ settleMs: 0 })
    await runner.start()
    await looked()
    world.setClock(DUE + 10 * MINUTE_MS)
    await waitFor('its start', async () => (await statesOf(late))[0] === 'started')
    expect(world.launched.get(begun?.id ?? '')?.at).toBe(DUE + 10 * MINUTE_MS)
    await waitFor('all to be planned', async () => {
      const rows = await world.occurrencesOf(id)
      return (
        rows.filter(({ due_at, state }) => due_at > DUE && due_at < DUE + 8 * DAY_MS && state === 'due').length === 7
      )
    })
  })

  it('[SCHED-02] a program that is started again on a running machine knows its clock, however long it was away', async () => {
    const { world } = suite
    const id = await world.add(DAILY)
    await run()
    await runner?.stop()
    world.set(DUE + MINUTE_MS)
    await run()
    await waitFor('its start', async () => (await statesOf(id))[0] === 'started')
    expect(launchedAt()).toEqual([{ at: DUE + MINUTE_MS, end: null }])
  })
})
