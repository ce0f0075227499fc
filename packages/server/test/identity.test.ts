import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ABSOLUTE_MS, IDLE_MS } from '../src/modules/identity/session-rules.ts'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { bearer, call, fromAddress, newUser, randomAddress, signIn, type TestProgram } from './support/program.ts'

describe.each(DATABASES)('identity on $name', ({ open }) => {
  let program: TestProgram

  beforeAll(async () => {
    program = await startProgramOn(open)
  })
  afterAll(() => program.close())

  const post = (path: string, body?: unknown, headers = fromAddress(randomAddress())) =>
    call(program.url, 'POST', path, { body, headers })
  const profile = (token: string) => call(program.url, 'GET', '/auth/profile', { headers: bearer(token) })

  it('[AUTH-11] registers, logs in, shows the profile, changes the key and logs out in the shapes of section 7', async () => {
    const user = newUser()
    const registered = await post('/auth/register', user)
    expect(registered).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })

    const login = await post('/auth/login', user)
    expect(login.status).toBe(200)
    expect(login.body).toMatchObject({
      success: true,
      user: {
        username: user.username,
        email: user.email,
        apiKey: expect.stringMatching(/^sk_[\w-]{40,}$/),
        server: program.url,
      },
      token: expect.stringMatching(/^st_[\w-]{40,}$/),
    })
    const { token } = login.body

    const shown = await profile(token)
    expect(shown).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          username: user.username,
          email: user.email,
          apiKey: login.body.user.apiKey,
          plan: 'free-trial',
          credit: 0,
        },
      },
    })
    expect(Date.parse(shown.body.data.createdAt)).toBeLessThanOrEqual(Date.now())
    expect(Date.parse(shown.body.data.activeSession.lastLogin)).toBeLessThanOrEqual(Date.now())

    const changed = await call(program.url, 'POST', '/auth/profile/apikey', { headers: bearer(token) })
    expect(changed).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
    expect(changed.body.apiKey).toBe(changed.body.data.apiKey)
    expect(changed.body.apiKey).not.toBe(login.body.user.apiKey)

    const out = await call(program.url, 'POST', '/auth/logout', { headers: bearer(token) })
    expect(out).toMatchObject({ status: 200, body: { success: true } })
  })

  it('[PROF-03] the old API key stops working at once', async () => {
    const { user, token } = await signIn(program.url)
    const list = (apiKey: string) => call(program.url, 'GET', '/fitur/video', { headers: { 'x-api-key': apiKey } })
    expect((await list(user.apiKey)).status).toBe(200)
    const { body } = await call(program.url, 'POST', '/auth/profile/apikey', { headers: bearer(token) })
    expect((await list(user.apiKey)).status).toBe(401)
    expect((await list(body.apiKey)).status).toBe(200)
    expect((await profile(token)).body.data.apiKey).toBe(body.apiKey)
  })

  it.each([
    ['a short username', { username: 'ab' }, /at least 3/],
    ['a username of spaces', { username: '     ' }, /at least 3/],
    ['a username with control characters', { username: 'bu\u0000di' }, /cannot be shown/],
    ['an address elsewhere', { email: 'budi@yahoo.com' }, /@gmail\.com/],
    ['half an address', { email: '@gmail.com' }, /whole email/],
    ['an address that only contains gmail', { email: 'budi@gmail.com.evil.example' }, /@gmail\.com/],
    ['a short password', { password: '12345' }, /at least 6/],
    ['an endless password', { password: 'x'.repeat(10_000) }, /at most/],
    ['a missing password', { password: undefined }, /required/],
    ['a username of the wrong kind', { username: { $ne: '' } }, /Username/],
  ])('[AUTH-03] the server refuses %s', async (_, change, message) => {
    const reply = await post('/auth/register', { ...newUser(), ...change })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ success: false, message: expect.stringMatching(message), code: 'invalid_input' })
  })

  it('[AUTH-03] a login is checked by the same rules', async () => {
    expect((await post('/auth/login', { email: 'budi@yahoo.com', password: 'rahasia' })).status).toBe(400)
    expect((await post('/auth/login', { email: 'budi@gmail.com', password: '12345' })).status).toBe(400)
  })

  it('[AUTH-03] e-mails are compared without case, and username and e-mail are unique', async () => {
    const user = newUser()
    await post('/auth/register', user)
    const loud = { email: user.email.toUpperCase(), password: user.password }
    expect((await post('/auth/login', loud)).status).toBe(200)

    const sameEmail = await post('/auth/register', { ...newUser(), email: user.email.toUpperCase() })
    expect(sameEmail).toMatchObject({ status: 409, body: { message: 'This email is already registered.' } })
    const sameName = await post('/auth/register', { ...newUser(), username: user.username.toUpperCase() })
    expect(sameName).toMatchObject({ status: 409, body: { message: 'This username is already taken.' } })
  })

  it('[AUTH-03] of twenty who want one name at the same moment exactly one gets it', async () => {
    const wanted = newUser()
    const replies = await Promise.all(Array.from({ length: 20 }, () => post('/auth/register', wanted)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  it('[AUTH-12] a wrong password and an unknown address get the same answer', async () => {
    const user = newUser()
    await post('/auth/register', user)
    const wrong = await post('/auth/login', { ...user, password: 'salah-sekali' })
    const unknown = await post('/auth/login', newUser())
    expect(wrong).toMatchObject({ status: 401, body: { success: false, message: 'Email or password is wrong.' } })
    expect(unknown.body).toEqual(wrong.body)
  })

  it('[AUTH-12] logout ends the session at once, and only that one', async () => {
    const user = newUser()
    await post('/auth/register', user)
    const [first, second] = await Promise.all([post('/auth/login', user), post('/auth/login', user)])
    expect(first.body.token).not.toBe(second.body.token)
    await call(program.url, 'POST', '/auth/logout', { headers: bearer(first.body.token) })
    expect(await profile(first.body.token)).toMatchObject({
      status: 401,
      body: { success: false, message: expect.stringContaining('Token invalidated') },
    })
    expect((await profile(second.body.token)).status).toBe(200)
  })

  it('[AUTH-12] lists where one is logged in, and ends one of them at once', async () => {
    const user = newUser()
    await post('/auth/register', user)
    const phone = await post('/auth/login', user, { ...fromAddress('203.0.113.9'), 'user-agent': 'Ponsel/1.0' })
    const desk = await post('/auth/login', user, { ...fromAddress(randomAddress()), 'user-agent': 'Meja/1.0' })
    const headers = bearer(desk.body.token)
    const sessions = async () => (await call(program.url, 'GET', '/auth/sessions', { headers })).body.data
    const listed = await sessions()
    expect(listed).toHaveLength(2)
    expect(listed.find(({ device }: { device: string }) => device === 'Meja/1.0')).toMatchObject({ current: true })
    const other = listed.find(({ device }: { device: string }) => device === 'Ponsel/1.0')
    expect(other).toMatchObject({ current: false, address: '203.0.113.9' })
    expect(JSON.stringify(listed)).not.toContain(phone.body.token)

    const end = (id: string) => call(program.url, 'DELETE', `/auth/sessions/${id}`, { headers })
    expect(await end(other.id)).toMatchObject({ status: 200, body: { success: true } })
    expect(await profile(phone.body.token)).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('Token invalidated') },
    })
    expect(await sessions()).toHaveLength(1)
    expect(await end(other.id)).toMatchObject({ status: 404, body: { success: false } })

    const stranger = await signIn(program.url)
    const [theirs] = (await call(program.url, 'GET', '/auth/sessions', { headers: bearer(stranger.token) })).body.data
    expect((await end(theirs.id)).status).toBe(404)
    expect((await profile(stranger.token)).status).toBe(200)
  })

  it('[AUTH-12] a token that was never given, and none at all, are refused', async () => {
    expect(await profile('st_made-up')).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('Session expired') },
    })
    const none = await call(program.url, 'GET', '/auth/profile')
    expect(none).toMatchObject({ status: 401, body: { success: false, message: 'Please login first.' } })
  })

  it('[AUTH-12] one wrong login too many on an account from an address gets a clear 429', async () => {
    const user = newUser()
    await post('/auth/register', user)
    const address = fromAddress(randomAddress())
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await post('/auth/login', { ...user, password: 'salah-sekali' }, address)).status).toBe(401)
    }
    const refused = await post('/auth/login', user, address)
    expect(refused).toMatchObject({
      status: 429,
      body: { success: false, code: 'rate_limited', message: expect.stringMatching(/Too many attempts.*minutes/) },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('[AUTH-12] one registration too many from an address gets a clear 429, others are not touched', async () => {
    const crowded = fromAddress(randomAddress())
    for (let attempt = 0; attempt < 30; attempt++) {
      expect((await post('/auth/register', newUser(), crowded)).status).toBe(200)
    }
    const refused = await post('/auth/register', newUser(), crowded)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await post('/auth/register', newUser())).status).toBe(200)
  })

  it('writes down who came, from where and with what', async () => {
    const user = newUser()
    const from = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'Peramban/1.0' }
    await post('/auth/register', user, from)
    await post('/auth/login', { ...user, password: 'salah-sekali' }, from)
    const { body } = await post('/auth/login', user, from)
    await call(program.url, 'POST', '/auth/profile/apikey', { headers: { ...bearer(body.token), ...from } })
    await call(program.url, 'POST', '/auth/logout', { headers: { ...bearer(body.token), ...from } })
    const entries = await program.activityOf(user.email)
    expect(entries.map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
      'api-key-changed ok',
      'login ok',
      'login-failed failed',
      'logout ok',
      'registered ok',
    ])
    for (const entry of entries) expect(entry).toMatchObject({ address: '203.0.113.7', device: 'Peramban/1.0' })
  })

  it('[AUTH-12] keeps passwords as argon2id, and neither token nor key in the clear', async () => {
    const { user, token, password } = await signIn(program.url)
    const everything = await program.dump()
    expect(everything).toContain('$argon2id$')
    for (const secret of [password, token, user.apiKey]) {
      expect(everything).not.toContain(secret)
      expect(program.logged()).not.toContain(secret)
    }
  })

  // Last: it moves the clock of this program.
  it('[AUTH-12] a session past its idle time and past its absolute time answers Token expired', async () => {
    const idle = await signIn(program.url)
    program.clock.move(IDLE_MS - 60_000)
    expect((await profile(idle.token)).status).toBe(200)
    program.clock.move(IDLE_MS)
    const expired = { status: 401, body: { message: expect.stringContaining('Token expired') } }
    expect(await profile(idle.token)).toMatchObject(expired)

    const busy = await signIn(program.url)
    for (let passed = 0; passed < ABSOLUTE_MS; passed += IDLE_MS / 2) {
      expect((await profile(busy.token)).status).toBe(200)
      program.clock.move(IDLE_MS / 2)
    }
    expect(await profile(busy.token)).toMatchObject(expired)
  })
})
