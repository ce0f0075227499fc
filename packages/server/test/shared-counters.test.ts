import type { PostgresDatabase } from '@siarin/testkit/postgres'
import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, signIn, startProgram, type TestProgram } from './support/program.ts'
import { migratedPostgres } from './support/shared-servers.ts'

/** The limit of the trial. */
const CALLS_A_MINUTE = 60

let database: PostgresDatabase
let redis: RedisServer
const programs: TestProgram[] = []

beforeAll(async () => {
  database = await migratedPostgres()
  redis = await startRedis()
  const shared = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    APP_SECRET: 'shared by both of them',
    SHARED_DATA_DIR: 'true',
    ROLE: 'web',
    ENFORCE_PLANS: 'true',
  }
  programs.push(await startProgram(shared), await startProgram(shared))
})
afterAll(async () => {
  for (const program of programs) await program.close()
  await redis.stop()
  await database.drop()
})

it('[SAFE-06] calls are counted over all programs that answer, and by each on its own while the counters are away', async () => {
  const { user } = await signIn(programs[0]?.url ?? '')
  const ask = (index: number) =>
    call(programs[index % programs.length]?.url ?? '', 'GET', `/fitur/steam/active?apiKey=${user.apiKey}`)
  let allowed = 0
  while (allowed < 2 * CALLS_A_MINUTE && (await ask(allowed)).status === 200) allowed++
  // Each on its own would have allowed as many. A count that comes late is a program's own, so on a busy machine it may be a few more.
  expect(allowed).toBeGreaterThanOrEqual(CALLS_A_MINUTE)
  expect(allowed).toBeLessThan(2 * CALLS_A_MINUTE)
  for (const index of [0, 1]) await waitFor('both to refuse', async () => (await ask(index)).status === 429)
  redis.pause()
  try {
    // Each has let through about half: now it counts what it let through itself.
    let alone = 0
    while (alone < 2 * CALLS_A_MINUTE && (await ask(0)).status === 200) alone++
    expect(alone).toBeLessThan(2 * CALLS_A_MINUTE)
  } finally {
    redis.resume()
  }
  await waitFor('calls to be counted again', async () => (await ask(1)).status === 429)
})
