import { userInfo } from 'node:os'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, showsAll, type TestDatabases } from './support/databases.ts'
import { type Operator, operatorAt } from './support/operator.ts'
import { bearer, call, fromAddress, randomAddress, signIn } from './support/program.ts'

const DAY_MS = 86_400_000
const BY_OPERATOR = `oleh operator ${userInfo().username}`

const daysUntil = (iso: string): number => (Date.parse(iso) - Date.now()) / DAY_MS

describe.each(DATABASES)("the operator's command beside a running server on $name", ({ name, open }) => {
  let databases: TestDatabases
  let siarin: Siarin
  let operator: Operator
  let operatorApart: Operator

  beforeAll(async () => {
    databases = await open()
    const settings = { ...(await databases.settings()), ENFORCE_PLANS: 'true' }
    siarin = await startSiarin({ env: settings })
    operator = operatorAt({ DATA_DIR: siarin.dataDir, ...settings })
    operatorApart = operatorAt({ DATA_DIR: siarin.dataDir, ...settings }, { apart: true })
  })

  afterAll(async () => {
    await siarin?.dispose()
    await databases?.stop()
  })

  /** Somebody who has logged in once, and what that session sees. */
  async function person() {
    const { user, token, password } = await signIn(siarin.url)
    const get = (path: string) => call(siarin.url, 'GET', path, { headers: bearer(token) })
    return {
      ...user,
      password,
      get,
      feature: () => call(siarin.url, 'GET', `/fitur/steam/active?apiKey=${user.apiKey}`),
      standing: async () => (await get('/auth/plan')).body.data,
      profile: async () => (await get('/auth/profile')).body.data,
      activity: async () => (await get('/fitur/activity')).body.data,
      login: (typed: string) =>
        call(siarin.url, 'POST', '/auth/login', {
          body: { email: user.email, password: typed },
          headers: fromAddress(randomAddress()),
        }),
    }
  }

  it('[PLAN-05] gives a plan that the open session has within a second, and notes who did it', async () => {
    const budi = await person()
    expect(await budi.standing()).toMatchObject({ plan: 'free-trial', state: 'active', enforced: true })

    const answer = await operator.json('user', 'set-plan', budi.email, 'starter')
    expect(answer).toMatchObject({ changed: true, user: { username: budi.username, plan: 'starter', state: 'active' } })

    const standing = await budi.standing()
    expect(standing).toMatchObject({ plan: 'starter', state: 'active', endsAt: answer.user.endsAt })
    expect(daysUntil(standing.endsAt)).toBeGreaterThan(27)
    expect(daysUntil(standing.endsAt)).toBeLessThan(32)
    expect((await budi.profile()).plan).toBe('starter')
    expect((await budi.activity())[0]).toMatchObject({
      kind: 'plan-changed',
      text: 'Paket diubah',
      detail: expect.stringMatching(new RegExp(`^Starter sampai \\d+ \\S+ \\d{4} · ${BY_OPERATOR}$`)),
      status: 'Berhasil',
      device: null,
      address: null,
    })
  })

  it('[PLAN-05] changes the credit, never below 0, also with many at once', async () => {
    const budi = await person()
    expect(await operator.json('user', 'add-credit', budi.email, '50000')).toMatchObject({
      added: 50_000,
      user: { credit: 50_000 },
    })
    expect((await budi.profile()).credit).toBe(50_000)
    await Promise.all(
      ['-20000', '-20000', '-20000'].map((amount) => operatorApart.run('user', 'add-credit', budi.email, amount)),
    )
    expect((await budi.profile()).credit).toBe(10_000)
    const refused = await operator.run('user', 'add-credit', budi.email, '-10001')
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toBe(`siarin: ${budi.username} has 10000: with -10001 it would be below 0\n`)
    expect((await operator.run('user', 'add-credit', budi.email, '1999999999')).code).toBe(1)
    expect((await budi.profile()).credit).toBe(10_000)
    const notes = (await budi.activity()).filter(({ kind }: { kind: string }) => kind === 'credit-changed')
    expect(notes.map(({ detail }: { detail: string }) => detail).sort()).toEqual([
      `+50.000, menjadi 50.000 · ${BY_OPERATOR}`,
      `-20.000, menjadi 10.000 · ${BY_OPERATOR}`,
      `-20.000, menjadi 30.000 · ${BY_OPERATOR}`,
    ])
  })

  it('[SAFE-02] gives a new password once, ends every session and renews the API key', async () => {
    const budi = await person()
    const { password, endedSessions } = await operator.json('user', 'reset-password', budi.email)
    expect(endedSessions).toBe(1)
    expect(password).toMatch(/^\w{16}$/)
    expect(await budi.get('/auth/profile')).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    expect((await budi.login(budi.password)).status).toBe(401)
    const again = await budi.login(password)
    expect(again.status).toBe(200)
    const listWith = (key: string) => call(siarin.url, 'GET', '/fitur/video', { headers: { 'x-api-key': key } })
    expect((await listWith(budi.apiKey)).status).toBe(401)
    expect((await listWith(again.body.user.apiKey)).status).toBe(200)
    expect(JSON.stringify(await operator.json('user', 'show', budi.email))).not.toContain(password)
  })

  it('shows sessions and ends one or all of them', async () => {
    const budi = await person()
    const other = await budi.login(budi.password)
    const { sessions } = await operator.json('user', 'sessions', budi.username)
    expect(sessions).toHaveLength(2)
    // The newest is first: the one of the second login.
    expect(await operator.json('user', 'sessions', budi.username, '--end', sessions[0].id)).toMatchObject({
      ended: 1,
      sessions: [{ id: sessions[1].id }],
    })
    expect((await call(siarin.url, 'GET', '/auth/profile', { headers: bearer(other.body.token) })).status).toBe(401)
    expect((await budi.get('/auth/profile')).status).toBe(200)
    expect((await operator.run('user', 'sessions', budi.username, '--end', sessions[0].id)).code).toBe(1)
    expect(await operator.json('user', 'sessions', budi.username, '--end', 'all')).toMatchObject({
      ended: 1,
      sessions: [],
    })
    expect((await budi.get('/auth/profile')).status).toBe(401)
  })

  it('lists, finds and counts users, and prints nothing secret', async () => {
    const [budi, ani] = [await person(), await person()]
    await operator.json('user', 'set-plan', ani.email, 'creator-pro', '--months', '3')
    const listed = await operator.json('user', 'list', '--plan', 'creator-pro', '--search', ani.username.toUpperCase())
    expect(listed.users.map(({ email }: { email: string }) => email)).toEqual([ani.email])
    expect((await operator.json('user', 'list', '--state', 'ended')).users).toEqual([])
    const all = await operator.json('user', 'list')
    expect(all.users.slice(0, 2).map(({ email }: { email: string }) => email)).toEqual([ani.email, budi.email])
    expect(Object.keys(all.users[0])).toEqual([
      ...['id', 'username', 'email', 'plan', 'state', 'planSince', 'endsAt', 'stopsAt', 'suspendedAt', 'credit'],
      ...['registeredAt', 'lastLoginAt', 'streams', 'videos', 'videoBytes', 'roomBytes'],
    ])

    const stats = await operator.json('stats')
    expect(stats.users.total).toBe(all.users.length)
    expect(stats.users.byPlan['creator-pro']).toBeGreaterThan(0)
    expect(stats.streams).toEqual({ queued: 0, starting: 0, live: 0, waiting: 0, stopping: 0, ended: 0 })
    expect(stats.videos).toEqual({ total: 0, bytes: 0 })
    const [today, yesterday, ...before] = Object.values<number>(stats.registrations)
    // Midnight may come while the test runs.
    expect((today ?? 0) + (yesterday ?? 0)).toBe(all.users.length)
    expect(before).toEqual([0, 0, 0, 0, 0])
    expect(await operator.json('stream', 'list')).toEqual({ streams: [] })

    const texts = await Promise.all([
      operator.run('user', 'list'),
      operator.run('user', 'show', ani.email),
      operator.run('user', 'sessions', ani.email),
      operator.run('stats'),
    ])
    expect(texts.map(({ code, err }) => [code, err])).toEqual(texts.map(() => [0, '']))
    expect(texts[0]?.out.split('\n')[0]).toMatch(/^USERNAME +EMAIL +PLAN +STATE +ENDS +ALL STOPS +CREDIT/)
    expect(texts[1]?.out).toMatch(/^Plan ends +\d{4}-\d\d-\d\d \d\d:\d\d \S+$/m)
    const said = JSON.stringify([all, texts])
    expect(said).not.toContain(ani.apiKey)
    expect(said).not.toMatch(/argon2|sk_|st_|hash|sealed/)
  })

  if (!showsAll(name)) return

  it('[PLAN-05] adds a renewal to the period that runs, and begins anew with another plan', async () => {
    const budi = await person()
    const given = await operator.json('user', 'set-plan', budi.username, 'starter', '--days', '10')
    expect(daysUntil(given.user.endsAt)).toBeCloseTo(10, 0)
    const renewed = await operator.json('user', 'set-plan', budi.username, 'starter', '--days', '5')
    expect(daysUntil(renewed.user.endsAt)).toBeCloseTo(15, 0)
    expect(renewed.user.planSince).toBe(given.user.planSince)
    const raised = await operator.json('user', 'set-plan', budi.username, 'business', '--days', '5')
    expect(daysUntil(raised.user.endsAt)).toBeCloseTo(5, 0)

    const until = await operator.json('user', 'set-plan', budi.username, 'business', '--until', '2099-12-31')
    expect(new Date(until.user.endsAt).getTime()).toBe(new Date(2099, 11, 31, 23, 59, 59, 999).getTime())
    const forever = await operator.json('user', 'set-plan', budi.username, 'business', '--forever')
    expect(forever.user).toMatchObject({ plan: 'business', endsAt: null, stopsAt: null })
    expect(await budi.standing()).toMatchObject({ plan: 'business', endsAt: null })
    // A month would take away what is without an end: that has to be said.
    expect(await operator.run('user', 'set-plan', budi.username, 'business')).toMatchObject({ code: 1, out: '' })
    const { user: back } = await operator.json('user', 'set-plan', budi.username, 'free-trial')
    expect(back).toMatchObject({ plan: 'free-trial', state: 'active', planSince: null })
    expect(Date.parse(back.endsAt)).toBe(Date.parse(back.registeredAt) + DAY_MS)
    expect((await operator.run('user', 'set-plan', budi.username, 'starter', '--until', '2001-01-01')).code).toBe(2)
  })

  it('[PLAN-05] says what was before, what is dropped, and that a renewal came twice', async () => {
    const budi = await person()
    const setPlan = (...words: string[]) => operator.run('user', 'set-plan', budi.username, ...words)
    const details = async (): Promise<string[]> =>
      (await budi.activity()).map(({ detail }: { detail: string }) => detail)
    const first = await setPlan('starter', '--until', '2098-01-31')
    expect(first.out).toMatch(
      new RegExp(`^${budi.username} had free-trial until \\S.+, has starter until 2098-01-31.+ \\(active\\)\\.\n$`),
    )
    const renewed = await operator.json('user', 'set-plan', budi.username, 'starter')
    expect(renewed.before).toEqual({
      plan: 'starter',
      endsAt: new Date(2098, 0, 31, 23, 59, 59, 999).toISOString(),
    })
    expect((await details())[0]).toBe(
      `Starter sampai 28 Februari 2098, sebelumnya sampai 31 Januari 2098 · ${BY_OPERATOR}`,
    )
    const twice = await setPlan('starter')
    expect(twice.out).toMatch(/ had starter until 2098-02-28.+, has starter until 2098-03-28/)
    expect(twice.out).toMatch(/\nLook: this plan was changed \d+ s before as well\./)

    expect((await setPlan('business', '--forever')).out).toMatch(/\nDropped: the rest of starter, \d{5} days\.\n/)
    expect((await details())[0]).toBe(`Business tanpa batas waktu, sebelumnya Starter · ${BY_OPERATOR}`)
    // To another plan is no renewal: nothing came twice.
    expect((await setPlan('starter')).out).toMatch(/\nDropped: business without an end\.\n$/)
  })

  it('[PLAN-05] suspends and resumes while the session stays open', async () => {
    const budi = await person()
    expect((await budi.feature()).status).toBe(200)
    const suspended = await operator.json('user', 'suspend', budi.email, '--reason', 'Pembayaran ditolak')
    expect(suspended).toMatchObject({ changed: true, user: { state: 'suspended' } })
    expect(await budi.standing()).toMatchObject({ state: 'suspended', suspendedFor: 'Pembayaran ditolak' })
    expect(await budi.feature()).toMatchObject({ status: 403, body: { code: 'access_stopped' } })
    expect((await budi.get('/auth/profile')).status).toBe(200)
    expect(await operator.json('user', 'suspend', budi.email)).toMatchObject({
      changed: false,
      user: { suspendedAt: suspended.user.suspendedAt },
    })

    expect(await operator.json('user', 'resume', budi.email)).toMatchObject({
      changed: true,
      user: { state: 'active', suspendedAt: null },
    })
    expect(await operator.json('user', 'resume', budi.email)).toMatchObject({ changed: false })
    expect(await budi.standing()).toMatchObject({ state: 'active', suspendedFor: null })
    expect((await budi.feature()).status).toBe(200)
    const [resumed, stopped, before] = await budi.activity()
    expect(resumed).toMatchObject({ text: 'Akun diaktifkan lagi', detail: BY_OPERATOR })
    expect(stopped).toMatchObject({ text: 'Akun dihentikan', detail: `Pembayaran ditolak · ${BY_OPERATOR}` })
    expect(before.kind).toBe('login')
  })

  it('knows an e-mail address from a name that looks like one, and says who is not there', async () => {
    const victim = `dia${Date.now()}@gmail.com`
    const body = { username: victim, email: `penipu${Date.now()}@gmail.com`, password: 'rahasia-sekali' }
    await call(siarin.url, 'POST', '/auth/register', { body, headers: fromAddress(randomAddress()) })
    expect(await operator.run('user', 'set-plan', victim, 'business')).toEqual({
      code: 1,
      out: '',
      err: `siarin: there is no user with the e-mail address '${victim}'\n`,
    })
    expect((await operator.run('user', 'show', 'tidak-ada')).err).toBe("siarin: there is no user named 'tidak-ada'\n")
    expect((await operator.run('stream', 'stop', 'tidak-ada')).code).toBe(1)
  })
})
