import { startPostgres } from '@siarin/testkit/postgres'
import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, signIn, startProgram, type TestProgram } from './support/program.ts'

/** Of the trial. */
const CALLS_A_MINUTE = 60

let postgres: Awaited<ReturnType<typeof startPostgres>>
let redis: RedisServer
const programs: TestProgram[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  redis = await startRedis()
  const shared = {
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.url,
    APP_SECRET: 'shared by both of them',
    ROLE: 'web',
    ENFORCE_PLANS: 'true',
  }
  programs.push(await startProgram(shared), await startProgram(shared))
})
afterAll(async () => {
  for (const program of programs) await program.close()
  await redis.stop()
  await postgres.stop()
})

it('calls are counted over all programs that answer, and go on uncounted while the counters are away', async () => {
  const { user } = await signIn(programs[0]?.url ?? '')
  const ask = (index: number) =>
    call(programs[index % programs.length]?.url ?? '', 'GET', `/fitur/steam/active?apiKey=${user.apiKey}`)
  const statuses: number[] = []
  for (let index = 0; index < CALLS_A_MINUTE + 4; index++) statuses.push((await ask(index)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(CALLS_A_MINUTE)
  expect(statuses.slice(CALLS_A_MINUTE)).toEqual([429, 429, 429, 429])
  redis.pause()
  try {
    expect((await ask(0)).status).toBe(200)
  } finally {
    redis.resume()
  }
  expect((await ask(1)).status).toBe(429)
})
