import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oldSpans } from '../src/modules/analytics/old-analytics.ts'
import { clearOldRows, createHousekeeping } from '../src/modules/housekeeping/index.ts'
import { type Db, isPostgres } from '../src/platform/db/database.ts'
import { createReadFacts } from '../src/platform/outbox/read-facts.ts'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { looksAt, measure, measuredText } from './support/rows-read.ts'

const DAY_MS = 86_400_000
const NOW = 2_000_000_000_000

describe.each(REPO_DATABASES)('rows that nobody will ask for again, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let user_id: string

  beforeAll(async () => {
    ;({ db, close } = await open())
    user_id = await addUser(db)
  })
  afterAll(() => close())

  type WithOldRows = 'sessions' | 'activity' | 'platform_broadcasts' | 'schedule_occurrences'
  const idsOf = async (table: WithOldRows | 'telegram_links' | 'telegram_bots' | 'webhook_deliveries') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)

  it('go by their age, however many they are', async () => {
    const session = (id: string, days: number) => ({
      ...{ id, user_id, token_hash: id, address: '', device: '' },
      ...{ created_at: NOW - days * DAY_MS, last_seen_at: NOW - days * DAY_MS, ended_at: null },
    })
    await db
      .insertInto('sessions')
      .values([session('1 old', 90), session('2 old', 61), session('3 kept', 59)])
      .execute()
    const lone = await addUser(db)
    await db
      .insertInto('sessions')
      .values({ ...session('4 the last of its user', 900), user_id: lone })
      .execute()
    const entry = (id: string, days: number) => ({
      ...{ id, user_id, kind: 'login', status: 'ok', address: '', device: '', at: NOW - days * DAY_MS },
    })
    const many = Array.from({ length: 1_200 }, (_, index) => entry(`old ${index}`, 400))
    await db.insertInto('activity').values(many).execute()
    await db.insertInto('activity').values(entry('kept', 300)).execute()
    const begun = (id: string, endedAt: number | null) => ({
      ...{ id, user_id, token_sealed: 't', broadcast_id: id, target_mark: id, created_at: 1, ended_at: endedAt },
    })
    await db
      .insertInto('platform_broadcasts')
      .values([begun('1 open', null), begun('2 just ended', NOW), begun('3 old', NOW - 2 * DAY_MS)])
      .execute()

    const fact = (subject_id: string, days: number) => ({
      ...{ user_id, subject_kind: 'stream', subject_id, fact: 'stream.live', payload: '{}', at: NOW - days * DAY_MS },
    })
    await db
      .insertInto('outbox')
      .values([fact('1 old', 31), fact('2 kept', 29)])
      .execute()

    const schedule = { id: 'j', user_id, title: 'j', rule: '{}', request_sealed: 's', planned_until: 0, created_at: 0 }
    await db.insertInto('schedules').values(schedule).execute()
    const occurrence = (id: string, days: number, state: string, next_try_at: number | null = null) => ({
      ...{ id, schedule_id: 'j', user_id, wall_date: '2026-01-01', state, next_try_at, start_by: NOW },
      due_at: NOW - days * DAY_MS,
    })
    await db
      .insertInto('schedule_occurrences')
      .values([
        occurrence('1 old', 91, 'ended'),
        occurrence('2 kept', 89, 'missed'),
        occurrence('3 goes on', 92, 'started'),
        occurrence('4 to be seen to', 93, 'due', NOW),
      ])
      .execute()

    const code = (id: string, days: number) => ({
      ...{ id, bot_id: '1', bot_name: 'b', code_hash: id, token_sealed: '', created_at: 1, used_at: null },
      expires_at: NOW - days * DAY_MS,
    })
    await db
      .insertInto('telegram_links')
      .values([
        { ...code('1 old', 2), user_id },
        { ...code('2 kept', 0.5), user_id: lone },
      ])
      .execute()
    const bot = (id: string, days: number) => ({
      ...{ id, next_update: 1, lease_owner: '', lease_until: NOW - days * DAY_MS, problem: null },
    })
    await db
      .insertInto('telegram_bots')
      .values([bot('1 old', 8), bot('2 kept', 6)])
      .execute()

    const endpoint = {
      id: 'w',
      user_id,
      url_sealed: 's',
      secret_sealed: 's',
      description: '',
      events: '[]',
      created_at: 0,
    }
    await db.insertInto('webhook_endpoints').values(endpoint).execute()
    const delivery = (id: string, days: number, state: string) => ({
      ...{ id, endpoint_id: 'w', user_id, event: 'stream.live', subject: 's', body: '{}', state, since_at: 0 },
      created_at: NOW - days * DAY_MS,
    })
    await db
      .insertInto('webhook_deliveries')
      .values([delivery('1 old', 8, 'failed'), delivery('2 kept', 6, 'delivered'), delivery('3 goes on', 9, 'waiting')])
      .execute()

    const cleared = { sessions: 2, activity: 1_200, stream_events: 0, platform_broadcasts: 1, outbox: 1 }
    let turns = 0
    const turning = setInterval(() => turns++, 0)
    expect(await clearOldRows(db, NOW)).toEqual({
      ...{ ...cleared, schedule_occurrences: 1, telegram_links: 1, telegram_bots: 1 },
      ...{
        alerts: 0,
        alert_incidents: 0,
        stat_spans: 0,
        stat_streams: 0,
        stat_broadcasts: 0,
        stat_sums: 0,
        webhook_deliveries: 1,
      },
    })
    clearInterval(turning)
    // Everything else had its turns between one batch and the next.
    expect(turns).toBeGreaterThan(0)
    expect(await idsOf('sessions')).toEqual(['3 kept', '4 the last of its user'])
    expect(await idsOf('activity')).toEqual(['kept'])
    expect(await idsOf('platform_broadcasts')).toEqual(['1 open', '2 just ended'])
    expect(await idsOf('schedule_occurrences')).toEqual(['2 kept', '3 goes on', '4 to be seen to'])
    expect(await idsOf('telegram_links')).toEqual(['2 kept'])
    expect(await idsOf('telegram_bots')).toEqual(['2 kept'])
    expect(await idsOf('webhook_deliveries')).toEqual(['2 kept', '3 goes on'])
    const facts = await db.selectFrom('outbox').select('subject_id').execute()
    expect(facts).toEqual([{ subject_id: '2 kept' }])
  })

  it('[SCHED-02] stay while the clock may be ahead, and go by the time that was judged', async () => {
    const clock = { now: () => NOW + 400 * DAY_MS }
    const entry = { id: 'of today', user_id, kind: 'login', status: 'ok', address: '', device: '', at: NOW }
    await db.insertInto('activity').values(entry).execute()
    const verdict = { now: clock.now(), isTrusted: false, isSure: false, stepsBack: 0 }
    let looks = 0
    const trust = async () => {
      looks++
      return verdict
    }
    const log = pino({ level: 'silent' })
    const timings = { ...USUAL_TIMINGS, oldRows: { firstAfterMs: 0, everyMs: 10 } }
    const housekeeping = createHousekeeping({ db, log, timings, trust })
    housekeeping.start()
    async function anotherRound(): Promise<void> {
      const from = looks
      await waitFor('another round', async () => looks > from + 1)
    }
    try {
      await anotherRound()
      expect(await idsOf('activity')).toContain('of today')
      Object.assign(verdict, { now: NOW + DAY_MS, isTrusted: true, isSure: true })
      await anotherRound()
      expect(await idsOf('activity')).toContain('of today')
      Object.assign(verdict, { now: clock.now() })
      await anotherRound()
      expect(await idsOf('activity')).not.toContain('of today')
    } finally {
      await housekeeping.stop()
    }
  })

  async function clearFacts(): Promise<void> {
    await db.deleteFrom('outbox').execute()
    await db.deleteFrom('outbox_readers').execute()
  }
  const flap = (subject_id: string, at: number) => ({
    ...{ user_id, subject_kind: 'stream', subject_id, fact: 'stream.recovered', payload: '{}', at },
  })

  it('[SCHED-02] facts of flapping lines stay while the clock may be ahead, too', async () => {
    await clearFacts()
    const clock = { now: () => NOW }
    const log = pino({ level: 'silent' })
    const timings = { ...USUAL_TIMINGS, oldRows: { firstAfterMs: 600_000, everyMs: 600_000 } }
    const verdict = { now: NOW, isTrusted: true, isSure: true, stepsBack: 0 }
    let looks = 0
    const trust = async () => {
      looks++
      return verdict
    }
    const housekeeping = createHousekeeping({ db, log, timings, trust, flapsEveryMs: 10 })
    const add = (at: number) => db.insertInto('outbox').values(flap('b', at)).returning('id').executeTakeFirstOrThrow()
    const old = await add(clock.now() - 2 * 3_600_000)
    const young = await add(clock.now())
    await db.insertInto('outbox_readers').values({ name: 'all', after_id: young.id }).execute()
    const left = async () => (await db.selectFrom('outbox').select('id').execute()).map(({ id }) => id)
    housekeeping.start()
    await waitFor('a true round', async () => !(await left()).includes(old.id))
    Object.assign(verdict, { now: NOW + 400 * DAY_MS, isTrusted: false, isSure: false })
    const from = looks
    await waitFor('some rounds of the wrong clock', async () => looks > from + 2)
    await housekeeping.stop()
    expect(await left()).toEqual([young.id])
  })

  it('[SAFE-07] are looked for page by page among facts of which none flaps, and once', async () => {
    await clearFacts()
    const facts = 5_000
    await sql`
      insert into outbox (at, user_id, subject_kind, subject_id, fact, payload)
      with recursive places(place) as (
        select 0 union all select place + 1 from places where place + 1 < ${sql.lit(facts)})
      select ${sql.lit(NOW - DAY_MS)}, cast(${user_id} as text), 'stream', 's', 'stream.live', '{}' from places`.execute(
      db,
    )
    const last = await db.insertInto('outbox').values(flap('young', NOW)).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('outbox_readers').values({ name: 'all', after_id: last.id }).execute()
    const readFacts = createReadFacts(db)
    const first = await measure(() => readFacts.clear(NOW, () => false))
    process.stdout.write(measuredText(`${facts} facts`, first))
    expect(first.statements).toBeGreaterThanOrEqual(facts / 500)
    const again = await measure(() => readFacts.clear(NOW, () => false))
    process.stdout.write(measuredText('again', again))
    expect(again.rows).toBeLessThan(10)
    if (isPostgres(db))
      await db.transaction().execute(async (inside) => {
        const own = createReadFacts(inside)
        await own.clear(NOW, () => false)
        const looked = await looksAt(inside, 'outbox', () => own.clear(NOW, () => false))
        process.stdout.write(`again, PostgreSQL looks at ${looked} of ${facts} facts\n`)
        expect(looked).toBeLessThan(10)
      })
    // It goes in its time all the same.
    expect([...(await readFacts.clear(NOW + 2 * 3_600_000, () => false))]).toEqual(['young'])
  })

  it('[SAFE-07] of analytics are found by an index', async () => {
    const { table, where } = oldSpans(NOW)
    const query = sql`select id from ${sql.table(table)} where ${where} limit 500`
    const plan = await db.transaction().execute(async (inside) => {
      // With so few rows it would not be worth it.
      if (isPostgres(inside)) await sql`set local enable_seqscan = off`.execute(inside)
      return (isPostgres(inside) ? sql`explain ${query}` : sql`explain query plan ${query}`).execute(inside)
    })
    const text = JSON.stringify(plan.rows)
    process.stdout.write(`${text}\n`)
    expect(text).toMatch(isPostgres(db) ? /Index Cond: \(ended_at < / : /USING (?:COVERING )?INDEX \w+ \(ended_at</)
  })
})
