import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { expect, it } from 'vitest'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

it('[MANY-02] a program without Redis does not start beside workers of its database, and does once they have ended', {
  timeout: 300_000,
}, async () => {
  await using props = new AsyncDisposableStack()
  const [database, folder] = await Promise.all([migratedPostgres(), tempDir('alone-beside-workers')])
  props.defer(() => folder.remove())
  props.defer(() => database.drop())
  const shared = { DATABASE_URL: database.url, APP_SECRET: 'satu rahasia untuk semua' }
  const startAlone = async (): Promise<string> => {
    const alone = await startSiarin({ dataDir: `${folder.path}/alone`, env: shared }).catch((error: Error) => error)
    if (alone instanceof Error) return alone.message
    await alone.dispose()
    return 'it started'
  }

  const asWorker = { ROLE: 'worker', WORKER_ID: 'jakarta-1', SHARED_DATA_DIR: 'true', REDIS_URL: await freshRedis() }
  const worker = await startSiarin({ dataDir: `${folder.path}/worker`, env: { ...shared, ...asWorker } })
  props.defer(() => worker.dispose())
  expect(await startAlone()).toContain(
    'Siarin cannot start: the worker jakarta-1 keeps the broadcasts of this database. Set REDIS_URL',
  )
  await worker.stop()
  expect(await startAlone()).toBe('it started')

  // The other way round, and beside another one of its kind.
  const alone = await startSiarin({ dataDir: `${folder.path}/first`, env: { ...shared, WORKER_ID: 'sendiri' } })
  props.defer(() => alone.dispose())
  const refusal = 'Siarin cannot start: the server sendiri keeps the broadcasts of this database alone. Stop it first'
  expect(await startAlone()).toContain(refusal)
  await expect(worker.restart()).rejects.toThrow(refusal)
  // Nobody waits for one that was killed, but for as long as it takes to be sure.
  await alone.kill9()
  expect(await startAlone()).toBe('it started')
})
