import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { bearer, call, fromAddress, randomAddress, signIn, type TestProgram } from './support/program.ts'

const NEW_PASSWORD = 'lebih-rahasia'

describe.each(DATABASES)("the user's own account on $name", ({ open }) => {
  let program: TestProgram

  beforeAll(async () => {
    program = await startProgramOn(open)
  })
  afterAll(() => program.close())

  const login = (email: string, password: string) =>
    call(program.url, 'POST', '/auth/login', { body: { email, password }, headers: fromAddress(randomAddress()) })
  const profile = (token: string) => call(program.url, 'GET', '/auth/profile', { headers: bearer(token) })
  const changePassword = (token: string, currentPassword: string, newPassword: string) =>
    call(program.url, 'POST', '/auth/profile/password', {
      body: { currentPassword, newPassword },
      headers: bearer(token),
    })
  const changeUsername = (token: string, username: string) =>
    call(program.url, 'POST', '/auth/profile/username', { body: { username }, headers: bearer(token) })
  const kindsOf = async (email: string) =>
    (await program.activityOf(email)).map(({ kind, status }) => `${kind} ${status}`)

  it('[SAFE-02] changes the password: the old one, the API key and every session end, and whoever asked goes on under another token', async () => {
    const { user, token, password } = await signIn(program.url)
    const elsewhere = (await login(user.email, password)).body.token
    const changed = await changePassword(token, password, NEW_PASSWORD)
    expect(changed).toMatchObject({
      status: 200,
      body: {
        success: true,
        message:
          'Your password has been changed. All other devices have been logged out, and your API key is a new one.',
      },
    })
    const { apiKey, token: fresh } = changed.body
    expect(apiKey).not.toBe(user.apiKey)
    const listWith = (key: string) => call(program.url, 'GET', '/fitur/video', { headers: { 'x-api-key': key } })
    expect(await listWith(user.apiKey)).toMatchObject({ status: 401, body: { code: 'api_key_wrong' } })
    expect((await listWith(apiKey)).status).toBe(200)
    expect(await profile(elsewhere)).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    // Somebody who has copied the token is sent away with it.
    expect(await profile(token)).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    expect(await profile(fresh)).toMatchObject({ status: 200, body: { data: { apiKey } } })
    expect((await login(user.email, password)).status).toBe(401)
    expect((await login(user.email, NEW_PASSWORD)).status).toBe(200)
    const row = await program.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$/)
    expect(await program.dump()).not.toContain(NEW_PASSWORD)
    expect(program.logged()).not.toContain(NEW_PASSWORD)
    expect(program.logged()).not.toContain(apiKey)
  })

  it('[FITUR-02] tells the changes, and the tries that failed, in the list of activity', async () => {
    const { user, token, password } = await signIn(program.url)
    const renamed = `${user.username}-baru`
    await changePassword(token, 'bukan-ini', NEW_PASSWORD)
    program.clock.move(5)
    const fresh = (await changePassword(token, password, NEW_PASSWORD)).body.token
    program.clock.move(5)
    await changeUsername(fresh, renamed)
    const { body } = await call(program.url, 'GET', '/fitur/activity', { headers: bearer(fresh) })
    expect(body.data.slice(0, 3)).toMatchObject([
      { text: 'Username diganti', detail: `${user.username} → ${renamed}`, status: 'Berhasil' },
      { text: 'Password diganti', status: 'Berhasil' },
      { text: 'Konfirmasi password salah', status: 'Gagal' },
    ])
  })

  it('refuses a wrong or missing current password, and a new one that is too short', async () => {
    const { user, token, password } = await signIn(program.url)
    const refused = (reply: unknown, status: number, message: string) =>
      expect(reply).toMatchObject({ status, body: { success: false, message } })
    refused(
      await changePassword(token, 'bukan-ini', NEW_PASSWORD),
      401,
      'Password ini salah. Ketik password Anda yang sekarang.',
    )
    refused(await changePassword(token, '', NEW_PASSWORD), 400, 'Ketik password Anda yang sekarang.')
    refused(await changePassword(token, password, '12345'), 400, 'Password must be at least 6 characters.')
    expect((await login(user.email, password)).status).toBe(200)
    expect(await kindsOf(user.email)).not.toContain('password-changed ok')
    expect((await call(program.url, 'POST', '/auth/profile/password', { body: {} })).status).toBe(401)
  })

  it('lets nobody guess the password with a session that was left open', async () => {
    const { token, password } = await signIn(program.url)
    for (let tries = 0; tries < 10; tries++) await changePassword(token, `tebakan-${tries}`, NEW_PASSWORD)
    const refused = await changePassword(token, password, NEW_PASSWORD)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('[AUTH-03] changes the username by the rules of the registration', async () => {
    const [{ user, token }, other] = [await signIn(program.url), await signIn(program.url)]
    const renamed = `Nama ${user.username}`
    expect(await changeUsername(token, ` ${renamed} `)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Your username has been changed.', data: { username: renamed } },
    })
    expect((await profile(token)).body.data.username).toBe(renamed)
    // Another spelling of one's own name is not somebody else's.
    expect((await changeUsername(token, renamed.toUpperCase())).status).toBe(200)
    expect(await changeUsername(token, other.user.username.toUpperCase())).toMatchObject({
      status: 409,
      body: { code: 'username_taken', message: 'This username is already taken.' },
    })
    expect(await changeUsername(token, 'ab')).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect((await profile(token)).body.data.username).toBe(renamed.toUpperCase())
  })
})
