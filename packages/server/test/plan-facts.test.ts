import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPlansRepo } from '../src/modules/plans/plans.repo.ts'
import { createEndTeller } from '../src/modules/plans/tell-ends.ts'
import type { Db } from '../src/platform/db/database.ts'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { whileOutboxIsAway } from './support/outbox-away.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'
import { sureOf } from './support/sure-clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-11-16T05:00:00Z')
const END = START + 30 * DAY_MS
const log = pino({ level: 'silent' })

describe.each(REPO_DATABASES)('[ALERT-01] what is told of the end of a plan, on $name', ({ open }) => {
  let opened: RepoDatabase
  let db: Db
  let now: number

  beforeAll(async () => {
    opened = await open()
    db = opened.db
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    now = START
    await db.deleteFrom('users').execute()
  })

  const teller = (enforced = true, trust = sureOf({ now: () => now })) =>
    createEndTeller({
      repo: createPlansRepo(db, () => null),
      trust,
      ...{ log, timings: USUAL_TIMINGS, trialDays: 1, enforced },
    })
  const doubting = async () => ({ now, isTrusted: false, isSure: false, stepsBack: 0 })
  const paying = (change: object = {}) =>
    addUser(db, { plan: 'starter', plan_since: START, plan_until: END, created_at: START - DAY_MS, ...change })
  const toldTo = async (userId: string) => {
    const rows = await db.selectFrom('outbox').selectAll().where('user_id', '=', userId).orderBy('id').execute()
    return rows.map(({ fact, at, payload }) => ({ fact, at, ...JSON.parse(payload) }))
  }
  /** What is told at each of these moments, by two programs at once. */
  async function pass(userId: string, ...moments: number[]): Promise<string[]> {
    const told: string[] = []
    for (const moment of moments) {
      now = moment
      const before = (await toldTo(userId)).length
      await Promise.all([teller().tellAll(), teller().tellAll()])
      const news = (await toldTo(userId)).slice(before).map(({ fact }) => fact)
      told.push(news.join(' and ') || 'nothing')
    }
    return told
  }

  it('is nothing while the clock may be wrong, and what is due once it is right', async () => {
    const id = await paying()
    now = END + HOUR_MS
    await teller(true, doubting).tellAll()
    expect(await toldTo(id)).toEqual([])
    expect(await pass(id, END - 3 * DAY_MS)).toEqual(['plan.ending'])
  })

  it('is three days ahead, one day ahead and then, each once', async () => {
    const id = await paying()
    const moments = [-4 * DAY_MS, -3 * DAY_MS, -2 * DAY_MS, -DAY_MS, -HOUR_MS, 0, HOUR_MS, 7 * DAY_MS, 40 * DAY_MS]
    expect(await pass(id, ...moments.map((ms) => END + ms))).toEqual([
      ...['nothing', 'plan.ending', 'nothing', 'plan.ending', 'nothing', 'plan.ended', 'nothing', 'nothing', 'nothing'],
    ])
    expect(await toldTo(id)).toEqual([
      { fact: 'plan.ending', at: END - 3 * DAY_MS, plan: 'starter', endsAt: END },
      { fact: 'plan.ending', at: END - DAY_MS, plan: 'starter', endsAt: END },
      { fact: 'plan.ended', at: END, plan: 'starter', endsAt: END },
    ])
    const [row] = await db.selectFrom('outbox').selectAll().where('user_id', '=', id).execute()
    expect(row).toMatchObject({ subject_kind: 'workspace', subject_id: id })
  })

  it('of a trial of a day is once, three hours ahead, and then', async () => {
    const id = await addUser(db, { created_at: START })
    const moments = [0, 20 * HOUR_MS, 21 * HOUR_MS, 23 * HOUR_MS, DAY_MS, 2 * DAY_MS]
    expect(await pass(id, ...moments.map((ms) => START + ms))).toEqual([
      ...['nothing', 'nothing', 'plan.ending', 'nothing', 'plan.ended', 'nothing'],
    ])
    expect((await toldTo(id))[0]).toMatchObject({ plan: 'free-trial', endsAt: START + DAY_MS })
  })

  it('after a week in which nobody looked is that it has ended, and nothing after a month', async () => {
    const [week, month] = [await paying(), await paying({ plan_until: END - 30 * DAY_MS, plan_since: 0 })]
    expect(await pass(week, END + 7 * DAY_MS, END + 8 * DAY_MS)).toEqual(['plan.ended', 'nothing'])
    expect(await toldTo(month)).toEqual([])
  })

  it('comes anew when the plan was extended and nears its end again', async () => {
    const id = await paying()
    expect(await pass(id, END - 2 * DAY_MS)).toEqual(['plan.ending'])
    const until = END + 30 * DAY_MS
    await db.updateTable('users').set({ plan_until: until }).where('id', '=', id).execute()
    expect(await pass(id, END, until - 3 * DAY_MS, until)).toEqual(['nothing', 'plan.ending', 'plan.ended'])
    expect((await toldTo(id)).at(-1)).toMatchObject({ endsAt: until })
  })

  it('is nothing for who has no end, is suspended or goes, nor where plans do not count', async () => {
    const ids = [
      await paying({ plan_until: null }),
      await paying({ suspended_at: START }),
      await paying({ deleting_at: START }),
    ]
    for (const id of ids) expect(await pass(id, END - DAY_MS, END)).toEqual(['nothing', 'nothing'])
    const free = teller(false)
    const id = await paying()
    free.start()
    await free.stop()
    expect(await toldTo(id)).toEqual([])
  })

  it('is not what a plan said that the operator has changed meanwhile', async () => {
    const id = await paying()
    const repo = createPlansRepo(db, () => null)
    now = END - DAY_MS
    const between = { from: START, to: END, trialMs: DAY_MS, afterId: '', most: 10 }
    const [near] = await repo.endingBetween(between)
    await db.updateTable('users').set({ plan_until: null }).where('id', '=', id).execute()
    const notice = { fact: 'plan.ending', step: 2, endsAt: END, at: now } as const
    expect(near && (await repo.tellEnd(near.row, notice))).toBe(false)
    expect(await toldTo(id)).toEqual([])
  })

  it('is noted and told together or not at all, and reaches each of many', async () => {
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push(await paying())
    now = END - DAY_MS
    await whileOutboxIsAway(db, () => expect(teller().tellAll()).rejects.toThrow())
    await teller(true).tellAll(3)
    for (const id of ids) expect((await toldTo(id)).map(({ fact }) => fact)).toEqual(['plan.ending'])
  })
})
