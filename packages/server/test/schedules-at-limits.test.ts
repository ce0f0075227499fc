import { randomUUID } from 'node:crypto'
import { dateOfDay } from '@siarin/contracts/schedules/wall-time'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pauseSchedulesOf } from '../src/modules/schedules/left-behind.ts'
import { createSchedulesRepo } from '../src/modules/schedules/schedules.repo.ts'
import { startProgram, type TestProgram } from './support/program.ts'
import { watchLoop } from './support/rows-read.ts'
import { DAY_MS } from './support/schedule-suite.ts'
import { scheduler } from './support/schedules.ts'

const SCHEDULES = 200
/** What one call may hold the loop on an idle machine. */
const BOUND_MS = 50
const NOISE = 5

let program: TestProgram
let person: Awaited<ReturnType<typeof scheduler>>
let full: object

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Every window, every weekday, and exceptions that fill the year from yesterday on. */
const fullRule = (now: number, zone: string) => ({
  repeat: { kind: 'weekdays', days: [1, 2, 3, 4, 5, 6, 7] },
  windows: Array.from({ length: 12 }, (_, index) => ({ start: clock(index * 120), end: clock(index * 120 + 90) })),
  exceptions: Array.from({ length: 366 }, (_, index) => dateOfDay(Math.floor(now / DAY_MS) - 1 + index)),
  zone,
})

beforeAll(async () => {
  program = await startProgram()
  person = await scheduler(program)
  full = fullRule(program.clock.now(), 'Asia/Jakarta')
  const first = await person.create(full)
  expect(first.status).toBe(200)
  const row = await program.db.selectFrom('schedules').selectAll().executeTakeFirstOrThrow()
  const repo = createSchedulesRepo(program.db)
  const zones = Intl.supportedValuesOf('timeZone')
  for (let count = 1; count < SCHEDULES - 1; count++) {
    const { user_id, title, end_at_pass, request_sealed, created_at } = row
    const rule = JSON.stringify(fullRule(program.clock.now(), zones[count] ?? 'UTC'))
    await repo.insert(
      { id: randomUUID(), user_id, title, end_at_pass, request_sealed, planned_until: created_at, created_at, rule },
      program.clock.now(),
    )
  }
}, 300_000)
afterAll(() => program?.close())

interface Cost {
  readonly heldMs: number
  /** How often `Intl` was asked for an offset: the same on every machine. */
  readonly asked: number
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const real = Intl.DateTimeFormat.prototype.formatToParts
  let asked = 0
  Intl.DateTimeFormat.prototype.formatToParts = function count(...words) {
    asked++
    return real.apply(this, words)
  }
  const loop = watchLoop()
  try {
    await work()
  } finally {
    loop.end()
    Intl.DateTimeFormat.prototype.formatToParts = real
  }
  return { heldMs: Math.round(loop.end()), asked }
}

describe('[SAFE-07] an account with every schedule that it may have', { timeout: 300_000 }, () => {
  it.each([
    ['a list of a hundred', '?limit=100', 0],
    ['a list of fifty', '', 0],
    ['a week', '/upcoming', 3_000],
    ['six weeks', `/upcoming?from=${iso(20)}&to=${iso(60)}`, 40_000],
  ])('%s holds up nobody', async (name, path, mostAsked) => {
    let answered = 0
    const cost = await costOf(async () => {
      const { status, body } = await person.ask('GET', path)
      expect(status).toBe(200)
      answered = body.data.length
    })
    process.stdout.write(
      `${name}: ${answered} answered, loop held ${cost.heldMs} ms (bound ${BOUND_MS}), Intl asked ${cost.asked} times\n`,
    )
    expect(cost.asked).toBeLessThanOrEqual(mostAsked)
    expect(cost.heldMs).toBeLessThan(NOISE * BOUND_MS)
  })

  it('a change, a new one and a skipped date hold up nobody', async () => {
    const cost = await costOf(async () => {
      const { status, body } = await person.create(full)
      expect(status).toBe(200)
      expect(body.data.nextAt).not.toBeNull()
      expect((await person.ask('PATCH', `/${body.data.id}`, { rule: full })).status).toBe(200)
      expect((await person.ask('POST', `/${body.data.id}/pause`)).status).toBe(200)
      expect((await person.ask('POST', `/${body.data.id}/resume`)).status).toBe(200)
    })
    process.stdout.write(
      `four changes: loop held ${cost.heldMs} ms (bound ${BOUND_MS}), Intl asked ${cost.asked} times\n`,
    )
    expect(cost.asked).toBeLessThan(200)
    expect(cost.heldMs).toBeLessThan(NOISE * BOUND_MS)
  })

  it('all of them paused at once hold up nobody, and what was planned of them goes in turns', async () => {
    const { db } = program
    const coming = async () => {
      const rows = db.selectFrom('schedule_occurrences').select(({ fn }) => fn.countAll<number>().as('count'))
      return Number((await rows.where('user_id', '=', person.id).executeTakeFirstOrThrow()).count)
    }
    const planned = await coming()
    expect(planned).toBeGreaterThan(SCHEDULES * 12 * 6)
    let [writtenMs, paused, shown] = [0, 0, -1]
    const cost = await costOf(async () => {
      const from = performance.now()
      paused = await db.transaction().execute((inside) => pauseSchedulesOf(inside, person.id, program.clock.now()))
      writtenMs = Math.round(performance.now() - from)
      shown = (await person.upcoming()).length
      await waitFor('all that was planned to be gone', async () => (await coming()) === 0)
    })
    process.stdout.write(
      `${paused} paused, ${planned} planned: loop held ${cost.heldMs} ms, other writers ${writtenMs} ms (bound ${BOUND_MS})\n`,
    )
    expect({ paused, shown }).toEqual({ paused: SCHEDULES, shown: 0 })
    expect(cost.heldMs).toBeLessThan(NOISE * BOUND_MS)
    expect(writtenMs).toBeLessThan(NOISE * BOUND_MS)

    // One that is resumed is planned as before.
    const { id } = (await person.ask('GET', '?limit=1')).body.data[0]
    expect((await person.ask('POST', `/${id}/resume`)).status).toBe(200)
    await waitFor('it to be planned', async () => (await coming()) > 12 * 6)
  })
})

function iso(days: number): string {
  return encodeURIComponent(new Date(Date.now() + days * DAY_MS).toISOString())
}
