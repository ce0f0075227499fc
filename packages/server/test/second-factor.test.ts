import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { argon2At } from '../src/modules/identity/argon2.ts'
import { stepAt, totpAt } from '../src/modules/identity/totp.ts'
import { DATABASES, startProgramOn, type TestDatabases } from './support/databases.ts'
import { operatorAt } from './support/operator.ts'
import { bearer, call, fromAddress, newUser, randomAddress, signIn, type TestProgram } from './support/program.ts'

const NEW_PASSWORD = 'lebih-rahasia'
const WRONG = { status: 401, body: { code: 'second_factor_wrong' } }
const NEEDED = { status: 403, body: { code: 'second_factor_needed' } }

describe.each(DATABASES)('the second factor on $name', ({ open }) => {
  let program: TestProgram
  let settings: Record<string, string>

  beforeAll(async () => {
    // The operator's command goes to the same database.
    const remembering = async (): Promise<TestDatabases> => {
      const databases = await open()
      return {
        ...databases,
        async settings() {
          settings = await databases.settings()
          return settings
        },
      }
    }
    program = await startProgramOn(remembering)
  })
  afterAll(() => program.close())

  const post = (path: string, body: object | undefined, token?: string) =>
    call(program.url, 'POST', path, {
      ...(body && { body }),
      headers: { ...fromAddress(randomAddress()), ...(token && bearer(token)) },
    })

  /** Somebody with an app; `code` is the next one, half a minute later, since each counts once. */
  async function personWithApp() {
    const { user, token, password } = await signIn(program.url)
    const { secret } = (await post('/auth/second-factor', undefined, token)).body.data
    const code = () => {
      program.clock.move(30_000)
      return totpAt(secret, stepAt(program.clock.now()))
    }
    const { recoveryCodes } = (await post('/auth/second-factor/confirm', { code: code() }, token)).body.data
    const login = (typed = password) => post('/auth/login', { email: user.email, password: typed })
    return { ...user, token, password, secret, code, login, recoveryCodes: recoveryCodes as string[] }
  }

  it('[SAFE-02] is asked for before the account goes', async () => {
    const person = await personWithApp()
    const remove = (code?: string) =>
      call(program.url, 'DELETE', '/auth/profile', {
        body: { currentPassword: person.password, confirm: person.username, ...(code && { code }) },
        headers: { ...fromAddress(randomAddress()), ...bearer(person.token) },
      })
    expect(await remove()).toMatchObject(NEEDED)
    expect(await remove('000000')).toMatchObject(WRONG)
    expect((await remove(person.code())).status).toBe(200)
  })

  it('[SAFE-06] an old challenge that somebody has kept uses up none of the tries of its owner', async () => {
    const person = await personWithApp()
    const { challenge: kept } = (await person.login()).body
    const change = { currentPassword: person.password, newPassword: NEW_PASSWORD, code: person.code() }
    expect((await post('/auth/profile/password', change, person.token)).status).toBe(200)
    for (let tries = 0; tries < 12; tries++) await post('/auth/login/code', { challenge: kept, code: '000000' })
    const { challenge } = (await person.login(NEW_PASSWORD)).body
    expect((await post('/auth/login/code', { challenge, code: person.code() })).status).toBe(200)
  })

  it('is on only once a code of the app has come back, which ends the other sessions, and its secrets are in no row and no log', async () => {
    const { user, token, password } = await signIn(program.url)
    const elsewhere = (await post('/auth/login', { email: user.email, password })).body.token
    const status = async () =>
      (await call(program.url, 'GET', '/auth/second-factor', { headers: bearer(token) })).body.data
    expect(await post('/auth/second-factor/confirm', { code: '123456' }, token)).toMatchObject({ status: 409 })
    const { secret, uri } = (await post('/auth/second-factor', undefined, token)).body.data
    expect(uri).toContain(`secret=${secret}`)
    expect(await status()).toEqual({ enabled: false, recoveryCodesLeft: 0 })
    const wrong = totpAt(secret, stepAt(program.clock.now()) + 5)
    expect(await post('/auth/second-factor/confirm', { code: wrong }, token)).toMatchObject(WRONG)
    const confirmed = await post(
      '/auth/second-factor/confirm',
      { code: totpAt(secret, stepAt(program.clock.now())) },
      token,
    )
    const { recoveryCodes } = confirmed.body.data
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await status()).toEqual({ enabled: true, recoveryCodesLeft: 10 })
    // Which began without a code.
    expect((await call(program.url, 'GET', '/auth/profile', { headers: bearer(elsewhere) })).status).toBe(401)
    expect(await post('/auth/second-factor', undefined, token)).toMatchObject({ status: 409 })
    const kept = JSON.stringify([
      await program.db.selectFrom('second_factors').selectAll().execute(),
      await program.db.selectFrom('recovery_codes').selectAll().execute(),
    ])
    for (const told of [secret, recoveryCodes[0], recoveryCodes[0].replace('-', '')]) {
      expect(kept).not.toContain(told)
      expect(program.logged()).not.toContain(told)
    }
    expect((await program.activityOf(user.email)).map(({ kind }) => kind)).toContain('second-factor-on')
  })

  it('is asked at a login, in a second step without a session before, and each code counts once', async () => {
    const person = await personWithApp()
    const first = await person.login()
    expect(first).toMatchObject(NEEDED)
    expect(Object.keys(first.body).sort()).toEqual(['challenge', 'code', 'message', 'success'])
    const { challenge } = first.body
    const enter = (code: string) => post('/auth/login/code', { challenge, code })
    expect(await enter('000000')).toMatchObject(WRONG)
    const code = person.code()
    // However many come with it at the same moment.
    const tries = await Promise.all([enter(code), enter(code), enter(code)])
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const entered = tries.find(({ status }) => status === 200)
    expect(entered?.body).toMatchObject({ success: true, user: { email: person.email, apiKey: person.apiKey } })
    expect((await person.login('bukan-ini')).body.code).toBe('wrong_credentials')
    program.clock.move(6 * 60_000)
    expect(await enter(person.code())).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    expect(await post('/auth/login/code', { challenge: 'kertas', code })).toMatchObject({ status: 401 })
  })

  it('takes each recovery code once, however it is typed', async () => {
    const person = await personWithApp()
    const { challenge } = (await person.login()).body
    const [one = '', two = ''] = person.recoveryCodes
    const enter = (code: string) => post('/auth/login/code', { challenge, code })
    expect((await enter(one.toUpperCase())).status).toBe(200)
    expect(await enter(one)).toMatchObject(WRONG)
    expect((await enter(two.replace('-', ' '))).status).toBe(200)
    const { body } = await call(program.url, 'GET', '/auth/second-factor', { headers: bearer(person.token) })
    expect(body.data.recoveryCodesLeft).toBe(8)
  })

  it('cannot be guessed: the tries of one account are counted wherever they come from', async () => {
    const person = await personWithApp()
    const { challenge } = (await person.login()).body
    const guess = (code: string) => post('/auth/login/code', { challenge, code })
    for (let tries = 0; tries < 10; tries++) await guess(String(tries).padStart(6, '0'))
    expect(await guess(person.code())).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    // The owner, who has been there before, is kept out by none of them.
    const { body } = await call(program.url, 'GET', '/auth/sessions', { headers: bearer(person.token) })
    const atHome = { body: { challenge, code: person.code() }, headers: fromAddress(body.data[0].address) }
    expect((await call(program.url, 'POST', '/auth/login/code', atHome)).status).toBe(200)
  })

  it('[SAFE-02] is asked for a new API key and a new password', async () => {
    const person = await personWithApp()
    const renew = (body?: object) => post('/auth/profile/apikey', body, person.token)
    expect(await renew()).toMatchObject(NEEDED)
    expect(await renew({ code: '000000' })).toMatchObject(WRONG)
    expect((await renew({ code: person.code() })).body.apiKey).toMatch(/^sk_/)
    const change = (code?: string) => {
      const passwords = { currentPassword: person.password, newPassword: NEW_PASSWORD }
      return post('/auth/profile/password', { ...passwords, ...(code && { code }) }, person.token)
    }
    expect(await change()).toMatchObject(NEEDED)
    const { challenge } = (await person.login()).body
    expect((await change(person.code())).status).toBe(200)
    // Given under the old password.
    expect((await post('/auth/login/code', { challenge, code: person.code() })).status).toBe(401)
    expect(await person.login(NEW_PASSWORD)).toMatchObject(NEEDED)
  })

  it('[SAFE-02] has its recovery codes made anew with the password and a code; those before no longer count', async () => {
    const person = await personWithApp()
    const renew = (password: string, code: string, token = person.token) =>
      post('/auth/second-factor/codes', { password, code }, token)
    expect(await renew('bukan-ini', person.code())).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    expect(await renew(person.password, '000000')).toMatchObject(WRONG)
    const renewed = await renew(person.password, person.code())
    const recoveryCodes: string[] = renewed.body.data.recoveryCodes
    expect(renewed.status).toBe(200)
    expect(new Set([...recoveryCodes, ...person.recoveryCodes]).size).toBe(20)
    expect((await program.activityOf(person.email)).map(({ kind }) => kind)).toContain('recovery-codes-new')

    const { challenge } = (await person.login()).body
    const enter = (code = '') => post('/auth/login/code', { challenge, code })
    expect(await enter(person.recoveryCodes[1])).toMatchObject(WRONG)
    expect((await enter(recoveryCodes[1])).status).toBe(200)
    // The app is the same one.
    expect((await enter(person.code())).status).toBe(200)
    // One of them opens the way to the next ten, once.
    expect((await renew(person.password, recoveryCodes[2] ?? '')).status).toBe(200)
    expect(await renew(person.password, recoveryCodes[3] ?? '')).toMatchObject(WRONG)
    const without = await signIn(program.url)
    const nothing = await renew(without.password, '123456', without.token)
    expect(nothing).toMatchObject({ status: 409, body: { code: 'second_factor_state' } })
  })

  it('is turned off with the password and a code, or by the operator', async () => {
    const [person, other] = [await personWithApp(), await personWithApp()]
    const off = (password: string, code: string) => post('/auth/second-factor/off', { password, code }, person.token)
    expect((await off('bukan-ini', person.code())).body.code).toBe('wrong_credentials')
    expect(await off(person.password, '000000')).toMatchObject(WRONG)
    expect((await off(person.password, person.code())).status).toBe(200)
    expect((await person.login()).status).toBe(200)

    const operator = operatorAt({ DATA_DIR: program.dataDir, ...settings })
    expect(await operator.json('user', 'second-factor-off', other.email)).toMatchObject({ changed: true })
    expect(await operator.json('user', 'second-factor-off', other.email)).toMatchObject({ changed: false })
    expect((await other.login()).status).toBe(200)
    expect((await program.activityOf(other.email)).map(({ kind }) => kind)).toContain('second-factor-reset')
  })

  it('[AUTH-03] refuses passwords that everybody has, where one is chosen and nowhere else', async () => {
    const common = { status: 400, body: { code: 'password_too_common' } }
    const person = newUser()
    expect(await post('/auth/register', { ...person, password: 'Password1' })).toMatchObject(common)
    expect(await post('/auth/register', { ...person, password: person.username })).toMatchObject(common)
    const { user, token, password } = await signIn(program.url)
    const change = { currentPassword: password, newPassword: 'iloveyou' }
    expect(await post('/auth/profile/password', change, token)).toMatchObject(common)
    // Who had one before still gets in.
    const had = { password_hash: await argon2At({}).hash('iloveyou') }
    await program.db.updateTable('users').set(had).where('email', '=', user.email).execute()
    expect((await post('/auth/login', { email: user.email, password: 'iloveyou' })).status).toBe(200)
  })
})
