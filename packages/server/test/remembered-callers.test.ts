import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stepAt, totpAt } from '../src/modules/identity/totp.ts'
import { DATABASES, type TestDatabases } from './support/databases.ts'
import type { TestProgram } from './support/program.ts'
import { bearer, call, fromAddress, type Reply, randomAddress, signIn, startProgram } from './support/program.ts'

/** Far longer than a test takes: what bites here was forgotten, and did not lapse. */
const FOR_EVER_MS = 3_600_000
const NEW_PASSWORD = 'lebih-rahasia'

const active = (program: TestProgram, headers: Record<string, string>): Promise<Reply> =>
  call(program.url, 'GET', '/fitur/steam/active', { headers })

type Person = Awaited<ReturnType<typeof signIn>>

describe.each(DATABASES)('[SAFE-02] a caller that is remembered on $name', ({ name, open }) => {
  let databases: TestDatabases
  let program: TestProgram

  beforeAll(async () => {
    databases = await open()
    const settings = { ENFORCE_PLANS: 'true', ...(await databases.settings()) }
    program = await startProgram(settings, { callerMemoryMs: FOR_EVER_MS })
  })
  afterAll(async () => {
    await program.close()
    await databases.stop()
  })

  const send = (person: Person, method: string, path: string, body?: object) =>
    call(program.url, method, path, { ...(body && { body }), headers: bearer(person.token) })
  const byKey = ({ user }: Person) => active(program, { 'x-api-key': user.apiKey })
  const bySession = ({ token }: Person) => active(program, bearer(token))

  /** Known by key and by session, and in the memory by both. */
  async function rememberedPerson(): Promise<Person> {
    const person = await signIn(program.url)
    for (let turn = 0; turn < 2; turn++) {
      expect([(await byKey(person)).status, (await bySession(person)).status]).toEqual([200, 200])
    }
    return person
  }
  /** The same person in another browser. */
  async function logInAgain({ user, password }: Person): Promise<Person> {
    const headers = fromAddress(randomAddress())
    const { body } = await call(program.url, 'POST', '/auth/login', { body: { email: user.email, password }, headers })
    const again = { ...body, password } as Person
    expect((await bySession(again)).status).toBe(200)
    return again
  }

  it('is sent away at once by a logout, and the key goes on', async () => {
    const person = await rememberedPerson()
    await send(person, 'POST', '/auth/logout')
    expect(await bySession(person)).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    expect((await byKey(person)).status).toBe(200)
  })

  it('is sent away at once where the session is ended from elsewhere', async () => {
    const person = await rememberedPerson()
    const again = await logInAgain(person)
    const { data } = (await send(again, 'GET', '/auth/sessions')).body
    const other = data.find(({ current }: { current: boolean }) => !current)
    expect((await send(again, 'DELETE', `/auth/sessions/${other.id}`)).status).toBe(200)
    expect(await bySession(person)).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    expect((await bySession(again)).status).toBe(200)
  })

  it('is known at once by the new key alone', async () => {
    const person = await rememberedPerson()
    const { apiKey } = (await send(person, 'POST', '/auth/profile/apikey')).body
    expect(await byKey(person)).toMatchObject({ status: 401, body: { code: 'api_key_wrong' } })
    expect((await active(program, { 'x-api-key': apiKey })).status).toBe(200)
  })

  it('is let in at once by nothing from before a new password', async () => {
    const person = await rememberedPerson()
    const again = await logInAgain(person)
    const change = { currentPassword: person.password, newPassword: NEW_PASSWORD }
    const { status, body } = await send(again, 'POST', '/auth/profile/password', change)
    expect(status).toBe(200)
    expect((await byKey(person)).status).toBe(401)
    for (const old of [person, again]) expect((await bySession(old)).status).toBe(401)
    expect((await active(program, bearer(body.token))).status).toBe(200)
  })

  it('is sent away at once by a second factor that was turned on elsewhere', async () => {
    const person = await rememberedPerson()
    const again = await logInAgain(person)
    const { secret } = (await send(again, 'POST', '/auth/second-factor')).body.data
    const code = totpAt(secret, stepAt(program.clock.now()))
    expect((await send(again, 'POST', '/auth/second-factor/confirm', { code })).status).toBe(200)
    expect((await bySession(person)).status).toBe(401)
    expect((await bySession(again)).status).toBe(200)
  })

  it('is sent away at once when the account goes', async () => {
    const person = await rememberedPerson()
    const { username } = person.user
    const body = { currentPassword: person.password, confirm: username }
    expect((await send(person, 'DELETE', '/auth/profile', body)).status).toBe(200)
    expect([(await byKey(person)).status, (await bySession(person)).status]).toEqual([401, 401])
  })

  it('is judged by the clock all the same: a trial that ends, and a session that is too old', async () => {
    const person = await rememberedPerson()
    program.clock.move(20 * 86_400_000)
    expect(await byKey(person)).toMatchObject({ status: 403, body: { code: 'access_stopped' } })
    expect(await bySession(person)).toMatchObject({ status: 401, body: { code: 'session_ended' } })
  })

  it(`counts as another program says: ${name === 'SQLite' ? 'at once' : 'within the second'}`, async () => {
    const usual = await startProgram(
      { ENFORCE_PLANS: 'true', ...(await databases.settings()) },
      { callerMemoryMs: 1_000 },
    )
    try {
      const person = await signIn(usual.url)
      const asked = () => active(usual, { 'x-api-key': person.user.apiKey })
      expect((await asked()).status).toBe(200)
      await usual.setPlan(person.user.email, 'business', { suspended_at: 1 })
      if (name === 'SQLite') return expect(await asked()).toMatchObject({ status: 403 })
      const since = performance.now()
      await waitFor('the suspension', async () => (await asked()).status === 403, { timeoutMs: 30_000, everyMs: 20 })
      expect(performance.now() - since).toBeLessThan(5_000)
    } finally {
      await usual.close()
    }
  })
})
