import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, signIn, startProgram, type TestProgram } from './support/program.ts'

const MOST = 600
const AT_ONCE = 30

describe('[SAFE-06] the calls of a session in a minute', { timeout: 120_000 }, () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(() => program.close())

  it('are counted by the session, however its token is spelled, and whether a key comes along', async () => {
    const { token, user } = await signIn(program.url)
    const ask = async (authorization: string, more = {}) =>
      (await call(program.url, 'GET', '/fitur/activity', { headers: { authorization, ...more } })).status
    const statuses: number[] = []
    const begun = performance.now()
    const spellings = [`Bearer ${token}`, `bEARER ${token}`, `Bearer \t ${token}`]
    for (let sent = 0; sent < MOST + AT_ONCE; sent += AT_ONCE) {
      const spelled = (at: number) => spellings[at % spellings.length] ?? ''
      statuses.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => ask(spelled(at))))))
    }
    const counted = (status: number) => statuses.filter((each) => each === status).length
    process.stdout.write(`${statuses.length} calls in three spellings: ${counted(200)} × 200, ${counted(429)} × 429\n`)
    // The next minute has begun, on a machine that is very busy.
    if (performance.now() - begun > 50_000) return
    // The calls of the sign-in count as well.
    expect(counted(200)).toBeLessThanOrEqual(MOST)
    expect(counted(200)).toBeGreaterThan(MOST - AT_ONCE)
    expect(await ask(`BEARER ${token}`, { 'x-api-key': user.apiKey })).toBe(429)
    // Another session of the account is not locked out.
    const again = { email: user.email, password: 'rahasia-sekali' }
    const other = await call(program.url, 'POST', '/auth/login', { body: again })
    expect(await ask(`Bearer ${other.body.token}`)).toBe(200)
  })
})
