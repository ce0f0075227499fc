import { describe, expect, it } from 'vitest'
import { DomainError } from '../src/errors.ts'
import { pauseSchedulesOf } from '../src/modules/schedules/left-behind.ts'
import { whileOutboxIsAway } from './support/outbox-away.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'
import { DUE, HOUR_MS, MINUTE_MS, ONCE, scheduleSuite } from './support/schedule-suite.ts'

const LATER = { repeat: { kind: 'once', date: '2026-11-16' }, windows: [{ start: '14:00', minutes: 60 }] }
const fullPlan = new DomainError('plan_limit', 'penuh')
const noSource = new DomainError('source_invalid', 'hilang')

describe.each(REPO_DATABASES)('[ALERT-01] what is told of a schedule, on $name', ({ open }) => {
  const suite = scheduleSuite(open)
  const factsOf = suite.factsOf

  it('started: once, with the id of its first stream, whoever is quicker', async () => {
    const { world } = suite
    const id = await world.add(ONCE)
    world.set(DUE)
    await Promise.all([world.program().round(), world.program().round()])
    await world.program().round()
    const [streamId] = world.launched.keys()
    expect(await factsOf(id)).toEqual([
      { fact: 'schedule.started', scheduleId: id, title: 'Pagi', dueAt: DUE, streamId },
    ])
  })

  it('started: also by who comes after a crash between the launch and the note of it, and by nobody before', async () => {
    const { world } = suite
    const id = await world.add(ONCE)
    world.set(DUE)
    const slow = world.program()
    const [row] = await slow.occurrences.claim(DUE, 1)
    world.set(DUE + MINUTE_MS)
    await world.program(() => world.launched.size > 0).round()
    expect([world.launched.size, await factsOf(id)]).toEqual([1, []])
    world.set(DUE + 2 * MINUTE_MS)
    await world.program().round()
    // Who held the claim before adds nothing.
    if (row) await slow.fire(row)
    expect((await factsOf(id)).map(({ fact }) => fact)).toEqual(['schedule.started'])
  })

  it('started: not again when what it started was never on air and is started anew', async () => {
    const { world } = suite
    const id = await world.add(ONCE)
    const program = world.program()
    for (const second of [0, 10, 20, 60, 80]) {
      for (const one of world.launched.values()) Object.assign(one, { refused: 'target-refused', isOver: true })
      world.set(DUE + second * 1_000)
      await program.round()
    }
    expect(world.launched.size).toBeGreaterThan(1)
    const told = (await factsOf(id)).map(({ fact, streamId }) => `${fact} ${streamId}`)
    const [first, ...others] = world.launched.keys()
    expect(told).toEqual([`schedule.started ${first}`, ...others.map((other) => `schedule.restarted ${other}`)])
  })

  it('blocked: when the check ahead finds a reason, once for each, also where it was mended and came back', async () => {
    const { world } = suite
    const id = await world.add(LATER)
    const due = DUE + HOUR_MS
    const steps = [
      [60, null, 0],
      [50, fullPlan, 1],
      [40, fullPlan, 1],
      [30, null, 1],
      [20, fullPlan, 1],
      [10, noSource, 2],
    ] as const
    for (const [minutes, error, told] of steps) {
      world.block(error)
      world.set(due - minutes * MINUTE_MS)
      await Promise.all([world.program().checkAhead(), world.program().checkAhead()])
      expect(await factsOf(id)).toHaveLength(told)
      expect((await world.occurrencesOf(id))[0]?.warning ?? null).toBe(error?.code.replaceAll('_', '-') ?? null)
    }
    const of = { fact: 'schedule.blocked', scheduleId: id, title: 'Pagi', dueAt: due }
    expect(await factsOf(id)).toEqual([
      { ...of, reason: 'plan-limit' },
      { ...of, reason: 'source-invalid' },
    ])
  })

  it('blocked: not again after a change that mends nothing, and not once it is due', async () => {
    const { world, userId } = suite
    const id = await world.add(LATER)
    const due = DUE + HOUR_MS
    world.block(fullPlan)
    world.set(due - 50 * MINUTE_MS)
    const program = world.program()
    await program.checkAhead()
    await world.repo.change(id, userId, { title: 'Lain' }, world.now())
    await program.checkAhead()
    expect(await world.occurrencesOf(id)).toMatchObject([{ warning: 'plan-limit' }])
    expect(await factsOf(id)).toHaveLength(1)
    world.block(noSource)
    world.set(due - 5 * MINUTE_MS)
    const [row] = await program.occurrences.claimChecks(world.now(), 1)
    world.set(due)
    await program.round()
    if (row) await program.occurrences.warn(row, 'source-invalid', { title: 'Lain', at: due })
    expect(row).toBeDefined()
    expect(await factsOf(id)).toHaveLength(1)
  })

  it('nothing is told of one that was paused together with others, and it does not start', async () => {
    const { db, world, userId } = suite
    const id = await world.add(LATER)
    world.block(fullPlan)
    world.set(DUE + 10 * MINUTE_MS)
    expect(await pauseSchedulesOf(db, userId, world.now())).toBe(1)
    const program = world.program()
    await program.checkAhead()
    world.block(null)
    world.set(DUE + HOUR_MS)
    await program.round()
    expect(await factsOf(id)).toEqual([])
    expect(world.launched.size).toBe(0)
  })

  it('is told with the change or not at all', async () => {
    const { world } = suite
    const [id, later] = [await world.add(ONCE), await world.add(LATER)]
    const program = world.program()
    world.set(DUE)
    world.block(fullPlan)
    await whileOutboxIsAway(suite.db, async () => {
      await expect(program.checkAhead()).rejects.toThrow()
      world.block(null)
      await expect(program.round()).rejects.toThrow()
    })
    expect(await world.occurrencesOf(later)).toMatchObject([{ warning: null, blocked_for: null }])
    expect(await suite.statesOf(id)).toEqual(['starting'])
    world.set(DUE + 15 * MINUTE_MS)
    world.block(null)
    await program.round()
    world.block(fullPlan)
    await program.checkAhead()
    expect(world.launched.size).toBe(1)
    expect((await factsOf(id)).map(({ fact }) => fact)).toEqual(['schedule.started'])
    expect((await factsOf(later)).map(({ fact }) => fact)).toEqual(['schedule.blocked'])
  })
})
