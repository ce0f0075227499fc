import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { createWorkerLeasesRepo } from '../src/modules/broadcasts/store/worker-leases.repo.ts'
import { openPostgres } from '../src/platform/db/database.ts'
import { createProgram } from '../src/program.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

const WAITS = 'another program has this WORKER_ID'
const LATE = { timeoutMs: 60_000, everyMs: 100 }
/** Longer than it takes to find a worker dead that is. */
const LONG_ENOUGH_MS = 10_000

it('[MANY-02] of programs with one WORKER_ID on one machine, that goes on which is started again on its folder, and another one waits', {
  timeout: 300_000,
}, async () => {
  await using props = new AsyncDisposableStack()
  const [database, folder] = await Promise.all([migratedPostgres(), tempDir('same-worker-id')])
  props.defer(() => folder.remove())
  props.defer(() => database.drop())
  const env = {
    ...{ ROLE: 'worker', WORKER_ID: 'jakarta-1', APP_SECRET: 'satu rahasia untuk semua', SHARED_DATA_DIR: 'true' },
    ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis() },
  }
  const db = openPostgres(new Secret(database.url), pino({ level: 'silent' }))
  props.defer(() => db.destroy())
  const holder = async () => (await createWorkerLeasesRepo(db).all())[0]?.incarnation ?? null

  const first = await startSiarin({ dataDir: `${folder.path}/one`, env })
  props.defer(() => first.dispose())
  const before = await holder()
  await first.kill9()
  await first.restart()
  expect(first.output()).not.toContain(WAITS)
  const again = await holder()
  expect(again).not.toBeNull()
  expect(again).not.toBe(before)

  let logged = ''
  const log = pino(
    { level: 'warn' },
    {
      write(line: string) {
        logged += line
      },
    },
  )
  const second = await createProgram(readConfig({ ...env, DATA_DIR: `${folder.path}/two` }), log)
  let hasStarted = false
  const started = second.start().then(() => {
    hasStarted = true
  })
  await waitFor('the second to wait', async () => logged.includes(WAITS) || hasStarted, LATE)
  await sleep(LONG_ENOUGH_MS)
  expect(hasStarted).toBe(false)
  expect(await holder()).toBe(again)

  await first.stop()
  await started
  expect([null, again]).not.toContain(await holder())
  await second.close()
  expect(await holder()).toBeNull()
})
