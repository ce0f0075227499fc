import { setTimeout as sleep } from 'node:timers/promises'
import { SCHEDULE_REASON_TEXTS, SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import { PLAN_TEXTS } from '@siarin/contracts/texts'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProgram, type TestProgram } from './support/program.ts'
import { dailyAt, HOUR_MS, MINUTE_MS, minuteAfter, onceAt, scheduler } from './support/schedules.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = { repeat: { kind: 'weekdays', days: [1, 3] }, windows: [{ start: '08:00', end: '09:00' }] }
/** A second, five times over. */
const SOON_MS = 5_000

describe('schedules', { timeout: 120_000 }, () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgram({ ENFORCE_PLANS: 'true', TRIAL_DAYS: '30' })
  })
  afterAll(() => program?.close())

  /** With everything that can be bought, unless a plan is named. */
  async function somebody(plan: Parameters<TestProgram['setPlan']>[1] = 'business') {
    const person = await scheduler(program)
    await program.setPlan(person.email, plan)
    return person
  }
  const to = (at: number) => program.clock.move(at - program.clock.now())

  it('[SCHED-02] starts once, within a second of its minute and never early, and tells which broadcast it is', async () => {
    const person = await somebody()
    const due = minuteAfter(program.clock.now())
    const { status, body } = await person.create(onceAt(due), { title: 'Pagi' })
    expect({ status, message: body.message }).toEqual({ status: 200, message: SCHEDULE_TEXTS.created })
    expect(body.data).toMatchObject({ title: 'Pagi', nextAt: new Date(due).toISOString(), paused: false })
    to(due - 1_500)
    await sleep(700)
    expect(await person.broadcasts(person.id)).toEqual([])
    await waitFor('its start', async () => (await person.broadcasts(person.id)).length > 0)
    const [row] = await person.rowsOf(body.data.id)
    const [broadcast] = await person.broadcasts(person.id)
    expect(broadcast?.id).toBe(row?.id)
    const lateMs = (broadcast?.created_at ?? 0) - due
    process.stdout.write(`a schedule started ${lateMs} ms after its minute\n`)
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThan(SOON_MS)
    await waitFor('its row', async () => (await person.rowsOf(body.data.id))[0]?.state === 'started')
    const from = new Date(due - HOUR_MS).toISOString()
    // Why its broadcast is not on air may be told there too: nothing listens at its target.
    expect(await person.upcoming(`?from=${from}`)).toMatchObject([{ state: 'started', streamId: row?.id }])
    expect(await person.rowsOf(body.data.id)).toMatchObject([{ state: 'started' }])
    await sleep(500)
    expect(await person.broadcasts(person.id)).toHaveLength(1)
  })

  it('[SCHED-05] plans: none, none, once and daily, everything; refused with words and the way up', async () => {
    const at = minuteAfter(program.clock.now(), HOUR_MS)
    const twice = {
      ...dailyAt(at),
      windows: [
        { start: '01:00', minutes: 5 },
        { start: '03:00', minutes: 5 },
      ],
    }
    const rules = [onceAt(at), dailyAt(at), WEEKDAYS, twice]
    const none = (plan: string, next: string) => PLAN_TEXTS.noSchedules(plan, next)
    const simple = PLAN_TEXTS.simpleSchedules('Creator Pro', 'Business')
    const messages = {
      'free-trial': [
        none('Free Trial', 'Creator Pro'),
        none('Free Trial', 'Creator Pro'),
        none('Free Trial', 'Business'),
      ],
      starter: [none('Starter', 'Creator Pro'), none('Starter', 'Creator Pro'), none('Starter', 'Business')],
      'creator-pro': [SCHEDULE_TEXTS.created, SCHEDULE_TEXTS.created, simple, simple],
      business: Array(4).fill(SCHEDULE_TEXTS.created),
    }
    for (const [plan, expected] of Object.entries(messages)) {
      const person = await somebody(plan as keyof typeof messages)
      const answers = []
      for (const rule of rules.slice(0, expected.length)) answers.push((await person.create(rule)).body)
      expect(answers.map(({ message }) => message)).toEqual(expected)
      for (const { success, code } of answers) expect(success || code === 'plan_limit').toBe(true)
    }
  })

  it('[SCHED-05] a plan that has become too small starts nothing and says so; a larger one within the window does', async () => {
    const person = await somebody()
    const due = minuteAfter(program.clock.now())
    const { body } = await person.create(onceAt(due))
    await program.setPlan(person.email, 'starter')
    to(due)
    await waitFor('a reason', async () => (await person.rowsOf(body.data.id))[0]?.reason === 'plan-schedule')
    expect(await person.broadcasts(person.id)).toEqual([])
    await program.setPlan(person.email, 'creator-pro')
    to(due + 10 * MINUTE_MS)
    await waitFor('its start', async () => (await person.broadcasts(person.id)).length === 1)
  })

  it('[SCHED-04] says an hour ahead why it could not start, and takes it back once it could', async () => {
    const person = await somebody()
    const due = minuteAfter(program.clock.now(), 3 * HOUR_MS)
    const { body } = await person.create(onceAt(due))
    const setStatus = (status: string) =>
      program.db.updateTable('videos').set({ status }).where('id', '=', person.videoId).execute()
    await setStatus('failed')
    to(due - 61 * MINUTE_MS)
    await sleep(700)
    const warned = async () => (await person.upcoming())[0]?.warningCode
    expect(await warned()).toBeNull()
    to(due - 59 * MINUTE_MS)
    await waitFor('a warning', async () => (await warned()) === 'video-not-ready')
    expect((await person.upcoming())[0]).toMatchObject({
      scheduleId: body.data.id,
      state: 'due',
      warning: SCHEDULE_REASON_TEXTS['video-not-ready'],
    })
    await setStatus('ready')
    to(due - 40 * MINUTE_MS)
    await waitFor('no warning', async () => (await warned()) === null)
  })

  it('[SCHED-03] missed: told in the list of activities and as a fact', async () => {
    const person = await somebody()
    const due = minuteAfter(program.clock.now())
    const { body } = await person.create(onceAt(due, 30), { title: 'Senja' })
    to(due + 31 * MINUTE_MS)
    await waitFor('it to be missed', async () => (await person.rowsOf(body.data.id))[0]?.state === 'missed')
    const line = async () => (await program.activityOf(person.email)).find(({ kind }) => kind === 'schedule-missed')
    expect(await waitFor('its line', line)).toMatchObject({ status: 'failed' })
    const facts = await program.db.selectFrom('outbox').selectAll().where('subject_id', '=', body.data.id).execute()
    expect(facts).toMatchObject([{ fact: 'schedule.missed', subject_kind: 'schedule', user_id: person.id }])
    expect(await person.broadcasts(person.id)).toEqual([])
    const from = new Date(due - HOUR_MS).toISOString()
    expect(await person.upcoming(`?from=${from}`)).toMatchObject([
      { state: 'missed', reasonCode: 'server-away', reason: SCHEDULE_REASON_TEXTS['server-away'] },
    ])
  })

  it('[SCHED-04] a list by pages, one of them, edit, skip one date and back, pause, resume, delete; nobody else sees it', async () => {
    const person = await somebody()
    const stranger = await somebody()
    const due = minuteAfter(program.clock.now(), HOUR_MS)
    const ids = []
    for (let count = 0; count < 3; count++) ids.push((await person.create(dailyAt(due))).body.data.id)
    const first = await person.ask('GET', '?limit=2')
    const second = await person.ask('GET', `?limit=2&cursor=${first.body.nextCursor}`)
    expect([...first.body.data, ...second.body.data].map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(second.body.nextCursor).toBeNull()
    expect((await person.ask('GET', '?cursor=abc')).status).toBe(400)

    const [id] = ids
    for (const [method, path, body] of [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`, { title: 'Bukan milik saya' }],
      ['POST', `/${id}/pause`, {}],
      ['POST', `/${id}/skip`, { date: '2026-12-01' }],
      ['DELETE', `/${id}`],
    ] as const) {
      expect(await stranger.ask(method, path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await stranger.upcoming()).toEqual([])

    const week = await person.upcoming()
    expect(week.filter(({ scheduleId }) => scheduleId === id)).toHaveLength(8)
    const { date = '' } = week.find(({ scheduleId, dueAt }) => scheduleId === id && Date.parse(dueAt) > due) ?? {}
    const stateThen = async () =>
      (await person.upcoming()).find((each) => each.scheduleId === id && each.date === date)?.state
    expect((await person.ask('POST', `/${id}/skip`, { date })).body.message).toBe(SCHEDULE_TEXTS.skipped)
    expect(await stateThen()).toBe('skipped')
    expect((await person.ask('POST', `/${id}/skip`, { date, skip: false })).body.data.rule.exceptions).toEqual([])
    expect(await stateThen()).toBe('due')

    expect((await person.ask('POST', `/${id}/pause`, {})).body.data).toMatchObject({ paused: true, nextAt: null })
    expect((await person.upcoming()).some(({ scheduleId }) => scheduleId === id)).toBe(false)
    expect((await person.ask('POST', `/${id}/resume`, {})).body.data).toMatchObject({ paused: false })
    expect(await stateThen()).toBe('due')

    const later = await person.ask('PATCH', `/${id}`, { title: 'Malam', rule: dailyAt(due + HOUR_MS), endAtPass: true })
    expect(later.body.data).toMatchObject({ title: 'Malam', endAtPass: true })
    expect(Date.parse(later.body.data.nextAt)).toBe(due + HOUR_MS)
    // Far ahead nothing is planned yet: the rule itself answers.
    const [from, until] = [due + 20 * DAY_MS, due + 30 * DAY_MS].map((ms) => new Date(ms).toISOString())
    const ahead = (await person.upcoming(`?from=${from}&to=${until}`)).filter(({ scheduleId }) => scheduleId === id)
    expect(ahead).toHaveLength(10)
    for (const query of [
      `from=${from}&to=${from}`,
      'from=9999-12-30T00:00:00Z',
      'from=0001-01-01T00:00:00Z',
      'from=x',
    ]) {
      expect((await person.ask('GET', `/upcoming?${query}`)).status).toBe(400)
    }

    expect((await person.ask('DELETE', `/${id}`)).status).toBe(200)
    expect((await person.ask('GET', `/${id}`)).status).toBe(404)
    expect((await person.upcoming()).some(({ scheduleId }) => scheduleId === id)).toBe(false)
  })

  it('keeps the key sealed, shows it to nobody, and uses it again for another video', async () => {
    const person = await somebody()
    const due = minuteAfter(program.clock.now(), HOUR_MS)
    const rtmpStream = 'rtmp://127.0.0.1:1/live/sangat-rahasia'
    const { body } = await person.create(onceAt(due), {}, { rtmpStream })
    const changed = await person.ask('PATCH', `/${body.data.id}`, {
      broadcast: { source: 'klip.mp4', platform: 'lain', looping: false },
    })
    expect(changed.body.data.broadcast).toMatchObject({ looping: false, source: 'klip.mp4' })
    expect(JSON.stringify([body, changed.body])).not.toContain('sangat-rahasia')
    expect(await program.dump()).not.toContain('sangat-rahasia')
    expect(program.logged()).not.toContain('sangat-rahasia')
    // A key belongs to its platform.
    const elsewhere = { broadcast: { source: 'klip.mp4', platform: 'youtube' } }
    expect(await person.ask('PATCH', `/${body.data.id}`, elsewhere)).toMatchObject({ body: { code: 'target_invalid' } })
    to(due)
    await waitFor('its start', async () => (await person.broadcasts(person.id)).length === 1)
  })

  it('[SCHED-01] refuses what cannot be, with words', async () => {
    const person = await somebody()
    const due = minuteAfter(program.clock.now(), HOUR_MS)
    const good = onceAt(due)
    const cases: [object, string, object?][] = [
      [{ ...good, zone: 'Mars/Base' }, SCHEDULE_TEXTS.zoneInvalid],
      [{ ...good, windows: [{ start: '8' }] }, SCHEDULE_TEXTS.timeInvalid],
      [{ ...good, windows: [] }, SCHEDULE_TEXTS.windowsInvalid],
      [{ ...good, repeat: { kind: 'once', date: '2026-02-30' } }, SCHEDULE_TEXTS.dateInvalid],
      [onceAt(due - 3 * HOUR_MS), SCHEDULE_TEXTS.neverDue],
      [dailyAt(due, 1441), SCHEDULE_TEXTS.overlaps],
    ]
    for (const [rule, message] of cases) {
      expect(await person.create(rule)).toMatchObject({ status: 400, body: { message } })
    }
    expect(await person.create(good, {}, { source: 'tidak-ada.mp4' })).toMatchObject({
      body: { code: 'source_invalid' },
    })
    expect(await person.create(good, {}, { rtmpStream: '' })).toMatchObject({ status: 400 })
    expect(await person.create({ ...WEEKDAYS, zone: 'Asia/Jayapura' })).toMatchObject({ status: 200 })
  })
})
