import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClockTrust } from '../src/platform/clock-trust.ts'
import type { Db } from '../src/platform/db/database.ts'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const LOOK_EVERY_MS = 5_000
const TRUE_MS = Date.parse('2026-11-16T05:00:00Z')

describe.each(REPO_DATABASES)('[PLAN-03] [SCHED-02] a clock, before what nobody can undo, on $name', ({ open }) => {
  let opened: RepoDatabase
  let db: Db
  let passedMs: number
  let wrongMs: number
  let boot: number
  let trust: ReturnType<typeof createClockTrust>

  beforeAll(async () => {
    opened = await open()
    db = opened.db
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    await db.deleteFrom('schedule_clocks').execute()
    ;[passedMs, wrongMs, boot] = [0, 0, 1]
    start()
    expect(await wasSure(10 * MINUTE_MS)).toBe(true)
  })

  /** The program, on the machine as it runs. */
  function start(): void {
    // The steady time of a machine begins with its boot.
    const bootedAt = boot === 1 ? 0 : passedMs
    trust = createClockTrust({
      ...{ db, log: pino({ level: 'silent' }), timings: USUAL_TIMINGS },
      clock: { now: () => TRUE_MS + passedMs + wrongMs },
      machine: { bootId: `boot ${boot}`, steadyMs: () => passedMs - bootedAt, isSynchronized: () => false },
    })
  }
  /** Whether it was sure at any look. */
  async function wasSure(ms: number): Promise<boolean> {
    let isSure = false
    for (const until = passedMs + ms; passedMs < until; passedMs += LOOK_EVERY_MS) isSure ||= (await trust()).isSure
    return isSure
  }

  it.each([
    ['40 days for 20 s', 40 * DAY_MS, 20_000],
    ['40 days for ten minutes', 40 * DAY_MS, 10 * MINUTE_MS],
    ['7 hours for 50 minutes', 7 * HOUR_MS, 50 * MINUTE_MS],
  ])('that is ahead by %s is not sure meanwhile, and is within the hour after', async (_, byMs, forMs) => {
    wrongMs = byMs
    expect(await wasSure(forMs)).toBe(false)
    wrongMs = 0
    expect(await wasSure(HOUR_MS)).toBe(true)
  })

  it.each([
    ['in local time, +7 h', 7 * HOUR_MS],
    ['that a dead battery has lost, +400 days', 400 * DAY_MS],
  ])(
    'at a boot %s is not sure for most of an hour, also for a program that is started again meanwhile',
    async (_, byMs) => {
      boot++
      wrongMs = byMs
      for (const ms of [30_000, 15 * MINUTE_MS, 30 * MINUTE_MS]) {
        start()
        expect(await wasSure(ms)).toBe(false)
      }
      wrongMs = 0
      expect(await wasSure(HOUR_MS)).toBe(true)
    },
  )

  it('that stays where it was set is sure after an hour', async () => {
    wrongMs = 2 * DAY_MS
    expect(await wasSure(HOUR_MS)).toBe(false)
    expect(await wasSure(15 * MINUTE_MS)).toBe(true)
  })

  it('that is corrected by seconds now and then, or goes back, is sure a minute later', async () => {
    for (let times = 0; times < 5; times++) {
      wrongMs += 5_000
      expect(await wasSure(2 * MINUTE_MS)).toBe(true)
    }
    wrongMs = -3 * HOUR_MS
    expect((await trust()).isSure).toBe(true)
  })
})

describe('[SCHED-02] a clock of one of several machines', () => {
  let opened: RepoDatabase
  beforeAll(async () => {
    const postgres = REPO_DATABASES.find(({ name }) => name === 'PostgreSQL')
    if (!postgres) throw new Error('no PostgreSQL')
    opened = await postgres.open()
  })
  afterAll(() => opened.close())
  beforeEach(() => opened.db.deleteFrom('schedule_clocks').execute())

  /** Beside the database's clock, which nobody sets here. Returns whether it is trusted once it has stood for some minutes. */
  async function isTrusted(bootId: string, aheadMs: number, meanwhile: () => unknown = () => {}): Promise<boolean> {
    let passedMs = 0
    const trust = createClockTrust({
      ...{ db: opened.db, log: pino({ level: 'silent' }), timings: USUAL_TIMINGS },
      clock: { now: () => Date.now() + aheadMs + passedMs },
      machine: { bootId, steadyMs: () => performance.now() + passedMs, isSynchronized: () => false },
    })
    await trust()
    await meanwhile()
    passedMs = 3 * MINUTE_MS
    return (await trust()).isTrusted
  }

  it('that is ahead of the database and of another machine is not trusted, however long it has stood', async () => {
    expect(await isTrusted('right', -3 * MINUTE_MS)).toBe(true)
    expect(await isTrusted('ahead', HOUR_MS)).toBe(false)
    expect(await isTrusted('right as well', -3 * MINUTE_MS)).toBe(true)
  })

  it('is trusted where the database alone is behind', async () => {
    expect(await isTrusted('first', HOUR_MS)).toBe(true)
    expect(await isTrusted('second', HOUR_MS + 1_000)).toBe(true)
  })

  it('is trusted also where the database is behind by less than the age of what another has marked', async () => {
    // What it marked half a minute ago, when it was ahead by as much, is what the database shows now.
    const other = { boot_id: 'other', wall_at: Date.now(), steady_at: 1, ahead_ms: 30_000 }
    const mark = () => opened.db.insertInto('schedule_clocks').values(other).execute()
    expect(await isTrusted('one', 30_000 - 3 * MINUTE_MS, mark)).toBe(true)
  })
})
