import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import {
  bearer,
  call,
  fromAddress,
  newUser,
  randomAddress,
  signIn,
  startProgram,
  type TestProgram,
} from './support/program.ts'

describe.each(DATABASES)('[SAFE-06] wrong logins on $name', ({ open }) => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgramOn(open)
  })
  afterAll(() => program.close())

  const login = ({ email, password }: { email: string; password: string }, address = randomAddress(), cookie = '') =>
    call(program.url, 'POST', '/auth/login', {
      body: { email, password },
      headers: { ...fromAddress(address), ...(cookie && { cookie }) },
    })

  async function registered(home: string) {
    const user = newUser()
    const headers = fromAddress(home)
    await call(program.url, 'POST', '/auth/register', { body: user, headers })
    const entered = await login(user, home)
    expect(entered.status).toBe(200)
    return { ...user, cookie: (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
  }

  it('from one address are refused after ten, and the owner gets in elsewhere', async () => {
    const user = await registered(randomAddress())
    const wrong = { ...user, password: 'salah-sekali' }
    const stranger = randomAddress()
    for (let attempt = 0; attempt < 10; attempt++) expect((await login(wrong, stranger)).status).toBe(401)
    const refused = await login(user, stranger)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
    expect((await login(user)).status).toBe(200)
  })

  it('from very many addresses ask for a wait of strangers, but not where the owner has been before', async () => {
    const home = randomAddress()
    const { cookie, ...user } = await registered(home)
    const wrong = { ...user, password: 'salah-sekali' }
    const neighbour = await registered(randomAddress())
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 10 }, () => login(wrong)))
    // First tries, one from a browser that is known to another account. A machine that stands still for as long as the wait lets one try.
    const refused = await waitFor('strangers to be told to wait', async () => {
      const replies = [await login(wrong), await login(wrong, randomAddress(), neighbour.cookie)]
      return replies.every(({ status }) => status === 429) && replies[0]
    })
    expect(refused.body.message).toMatch(/try again in \d+ (second|minute)/)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300)

    expect((await login(wrong, home)).status).toBe(401)
    expect((await login(user, home)).status).toBe(200)
    expect((await login(user, randomAddress(), cookie)).status).toBe(200)
    expect((await login(neighbour)).status).toBe(200)
  })

  it('of many at a shared address do not lock out a browser that is known to the account, which has a bound of its own', async () => {
    const campus = randomAddress()
    const { cookie, ...user } = await registered(randomAddress())
    const nobody = () => login({ email: newUser().email, password: 'bukan-ini' }, campus)
    for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 10 }, nobody))
    expect([(await nobody()).status, (await login(user, campus)).status]).toEqual([429, 429])
    expect((await login(user, campus, cookie)).status).toBe(200)
    // The cookie of another account's browser is nobody's here.
    expect((await login(user, campus, (await registered(randomAddress())).cookie)).status).toBe(429)
    const wrong = { ...user, password: 'bukan-ini' }
    for (let attempt = 0; attempt < 10; attempt++) expect((await login(wrong, campus, cookie)).status).toBe(401)
    expect((await login(user, campus, cookie)).status).toBe(429)
  })
})

describe('[SAFE-06] the address of a caller', () => {
  it('is not what a direct caller writes: it is counted as what it is', async () => {
    const program = await startProgram({ TRUST_PROXY: '10.9.9.9' })
    try {
      const register = () =>
        call(program.url, 'POST', '/auth/register', { body: newUser(), headers: fromAddress(randomAddress()) })
      const statuses = (await Promise.all(Array.from({ length: 31 }, register))).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(30)
      expect(statuses.filter((status) => status === 429)).toHaveLength(1)
      expect(program.logged()).toContain('name it in TRUST_PROXY')
    } finally {
      await program.close()
    }
  })
})

describe('[SAFE-06] calls with a session', () => {
  it('are counted generously, and beyond that refused; a stop gets through, and so does another session', async () => {
    const program = await startProgram()
    try {
      const { user, token, password } = await signIn(program.url)
      const other = (await call(program.url, 'POST', '/auth/login', { body: { email: user.email, password } })).body
        .token
      const ask = () =>
        call(program.url, 'GET', `/fitur/steam/active?apiKey=${user.apiKey}`, { headers: bearer(token) })
      const statuses: number[] = []
      for (let round = 0; round < 65; round++) {
        const replies = await Promise.all(Array.from({ length: 10 }, ask))
        statuses.push(...replies.map(({ status }) => status))
      }
      const allowed = statuses.filter((status) => status === 200).length
      // A minute may have passed meanwhile.
      expect(allowed).toBeGreaterThanOrEqual(600)
      expect(statuses.filter((status) => status === 429).length + allowed).toBe(650)
      const stop = await call(program.url, 'POST', '/fitur/steam/stop', {
        body: { apiKey: user.apiKey, streamId: 'none' },
        headers: bearer(token),
      })
      expect(stop.status).toBe(404)
      expect((await call(program.url, 'GET', '/auth/sessions', { headers: bearer(other) })).status).toBe(200)
    } finally {
      await program.close()
    }
  })
})
