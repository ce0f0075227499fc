import { setTimeout as sleep } from 'node:timers/promises'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import type { PlanId } from '@siarin/contracts/plans'
import { startMailServer } from '@siarin/testkit/mail-server'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { monthBefore } from '../src/modules/analytics/days.ts'
import { addStream, DAY, HOUR, tellStream, wasStopped, wentLive } from './support/analytics.ts'
import { analyticsStage, dateOf as date, ENDED } from './support/analytics-stage.ts'
import { CALM, DATABASES } from './support/databases.ts'
import { mailSettings, PUBLIC_URL } from './support/mail.ts'
import { bearer, call, signIn, startProgram } from './support/program.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

describe.each(DATABASES)('who may see which analytics on $name', { timeout: 60_000 }, ({ open }) => {
  const stage = analyticsStage(open)
  const { somebody, told, run } = stage

  it('[STAT-04] each plan shows what it has, and refuses the rest with the plan that has it', async () => {
    const { program } = stage
    const person = await somebody()
    const id = await told(person.id, run())
    const today = program.clock.now()
    const month = date(today).slice(0, 7)
    const paths = [
      ...[`summary`, `summary?from=${date(today - 5 * DAY)}`, `summary?from=${date(today - 20 * DAY)}`],
      ...[`summary?from=${date(today - 300 * DAY)}`, `broadcasts?from=${date(today - 20 * DAY)}`, 'csv', 'live'],
      ...[`report?month=${month}`, `broadcast/${id}`],
      `series?streamId=${id}&from=${new Date(today - 20 * DAY).toISOString()}`,
    ]
    const expected: Record<PlanId, string> = {
      'free-trial': '200 200 403 403 403 403 403 403 200 403',
      starter: '200 200 200 403 200 200 403 403 200 200',
      'creator-pro': '200 200 200 200 200 200 200 403 200 200',
      business: '200 200 200 200 200 200 200 200 200 200',
    }
    for (const [plan, statuses] of Object.entries(expected)) {
      await program.setPlan(person.email, plan as PlanId)
      const got = []
      for (const path of paths) {
        const ends = new AbortController()
        const url = `${program.url}/fitur/analytics/${path}`
        const answer = await fetch(url, { headers: bearer(person.token), signal: ends.signal })
        got.push(answer.status)
        if (answer.status === 403)
          expect(await answer.json()).toMatchObject({ code: 'plan_limit', reasonCode: 'plan-analytics' })
        ends.abort()
      }
      expect(`${plan}: ${got.join(' ')}`).toBe(`${plan}: ${statuses}`)
    }
    await program.setPlan(person.email, 'free-trial')
    expect((await person.get('csv')).body.message).toBe(ANALYTICS_TEXTS.csv('Free Trial', 'Starter'))
    expect((await person.get(`summary?from=${date(today - 20 * DAY)}`)).body.message).toBe(
      ANALYTICS_TEXTS.days('Free Trial', 7, 'Starter'),
    )
    // Seen by its own owner only as far back as the plan goes.
    program.clock.move(10 * DAY)
    const later = await person.get(`broadcast/${id}?apiKey=${person.apiKey}`, {})
    program.clock.move(-10 * DAY)
    expect(later.body).toMatchObject({ code: 'plan_limit' })
  })

  it('[STAT-04] nobody sees another workspace by any call, with a session or a key', async () => {
    const { program, noon } = stage
    const owner = await somebody()
    const other = await somebody()
    const id = await told(owner.id, run(), { title: 'Rahasia' })
    const range = `from=${date(noon)}&to=${date(noon + DAY)}`
    const month = date(noon).slice(0, 7)
    for (const path of [`broadcast/${id}`, `series?streamId=${id}`]) {
      expect([path, (await other.get(path)).status]).toEqual([path, 404])
      expect([path, (await owner.get(path)).status]).toEqual([path, 200])
    }
    for (const path of [
      `summary?${range}`,
      `broadcasts?${range}`,
      `csv?kind=broadcasts&${range}`,
      `csv?kind=incidents&${range}`,
      `report?month=${month}`,
    ]) {
      expect([path, (await owner.text(path)).includes('Rahasia')]).toEqual([path, true])
      expect([path, (await other.text(path)).includes('Rahasia')]).toEqual([path, false])
      const byKey = await fetch(`${program.url}/fitur/analytics/${path}&apiKey=${owner.apiKey}`)
      expect([path, byKey.status, (await byKey.text()).includes('Rahasia')]).toEqual([path, 200, true])
    }
    const cursor = (await owner.get(`broadcasts?${range}`)).body.nextCursor
    expect(cursor).toBeNull()
    await call(program.url, 'PUT', '/fitur/analytics/report-mail', {
      headers: bearer(owner.token),
      body: { on: false, zone: 'UTC' },
    })
    expect((await other.get('report-mail')).body.data).toMatchObject({
      on: false,
      zone: 'Asia/Jakarta',
      lastMonth: null,
    })
    for (const path of [
      'summary',
      'broadcasts',
      `broadcast/${id}`,
      `series?streamId=${id}`,
      'csv',
      'live',
      `report?month=${month}`,
      'report-mail',
    ]) {
      expect([path, (await owner.get(path, {})).status]).toEqual([path, 401])
    }
  })

  it('refuses what nobody can answer, with words', async () => {
    const { program } = stage
    const person = await somebody()
    const paths = [
      ...['summary?zone=Mars/Base', 'summary?from=2026-02-30', 'summary?from=2026-11-16&to=2026-11-01', 'csv?kind=all'],
      ...[
        'broadcasts?cursor=!',
        'broadcasts?limit=1000',
        'series',
        'series?streamId=x&from=yesterday',
        'report?month=2026-13',
      ],
      ...['report?month=2099-01', 'report', 'summary?from=2020-01-01&to=2026-01-01'],
    ]
    for (const path of paths) {
      const { status, body } = await person.get(path)
      expect([path, status === 400 || status === 403, body.message.length > 20]).toEqual([path, true, true])
    }
    expect((await person.get('series?streamId=x')).status).toBe(404)
    const put = await call(program.url, 'PUT', '/fitur/analytics/report-mail', {
      ...{ headers: bearer(person.token), body: { on: true, zone: 'UTC' } },
    })
    expect(put).toMatchObject({ status: 400, body: { message: ANALYTICS_TEXTS.mailUnavailable } })
  })
})

it('[STAT-04] the report of a month goes by e-mail once, from the workers, and only where it is wanted and may be', async () => {
  const [database, mail] = [await migratedPostgres(), await startMailServer()]
  const shared = {
    ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis(), APP_SECRET: 'satu rahasia untuk tiga program' },
    SHARED_DATA_DIR: 'true',
    ...{ ENFORCE_PLANS: 'true', ...mailSettings(mail.url) },
  }
  const analytics = { factsMs: 50, rollUpMs: 60_000, clearMs: 600_000, reportsMs: 50, countAfterMs: 2_000 }
  const web = await startProgram({ ...shared, ROLE: 'web' }, CALM)
  const workers = [1, 2].map(() => startProgram({ ...shared, ROLE: 'worker' }, { ...CALM, analytics }))
  const programs = [web, ...(await Promise.all(workers))]
  const { db } = web
  const lastMonth = monthBefore(date(web.clock.now()).slice(0, 7))
  const people = []
  for (const [plan, isVerified] of [
    ['business', true],
    ['business', false],
    ['starter', true],
  ] as const) {
    const { user, token } = await signIn(web.url)
    await web.setPlan(user.email, 'business')
    const body = { on: true, zone: 'UTC' }
    const put = await call(web.url, 'PUT', '/fitur/analytics/report-mail', { headers: bearer(token), body })
    expect(put).toMatchObject({ status: 200, body: { data: { on: true, available: true, lastMonth } } })
    await web.setPlan(user.email, plan)
    const verifiedAt = { email_verified_at: isVerified ? 1 : null }
    const own = db.updateTable('users').set(verifiedAt).where('email', '=', user.email)
    people.push({ email: user.email, id: (await own.returning('id').executeTakeFirstOrThrow()).id })
  }
  const [reader] = people
  const begunAt = Date.parse(`${lastMonth}-05T12:00:00Z`)
  const id = await addStream(db, reader?.id ?? '', { ...ENDED, created_at: begunAt })
  await tellStream(db, reader?.id ?? '', id, [wentLive(begunAt), wasStopped(begunAt + 3 * HOUR)])
  await waitFor('its end to be known', async () =>
    db.selectFrom('stat_streams').select('id').where('ended_at', 'is not', null).executeTakeFirst(),
  )
  const reports = () => mail.mails.filter(({ subject }) => subject.startsWith('Laporan siaran'))
  expect(reports()).toEqual([])
  mail.refuse(true)
  await db
    .updateTable('stat_reports')
    .set({ last_month: monthBefore(lastMonth) })
    .execute()
  // A mail server that is away for too long loses nothing: the next look sends it.
  await waitFor('it to be given up', async () =>
    programs.some((program) => program.logged().includes('a mail could not be sent')),
  )
  expect(reports()).toEqual([])
  mail.refuse(false)
  await waitFor('the report', async () => reports().length > 0)
  // Some rounds of both.
  await sleep(300)
  for (const program of programs) await program.close()
  expect(reports()).toMatchObject([{ to: reader?.email, text: expect.stringContaining('Jam tayang: 3 jam') }])
  expect(reports()[0]?.text).toContain(`${PUBLIC_URL}/fitur/analytics/laporan?bulan=${lastMonth}`)
  await mail.stop()
  await database.drop()
})
