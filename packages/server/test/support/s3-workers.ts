import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { startS3Server } from '@siarin/testkit/s3-server'
import { type Settings, type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { openPostgres } from '../../src/platform/db/database.ts'
import { freshRedis, migratedPostgres } from './shared-servers.ts'
import { streamCalls } from './streams.ts'

/** A busy machine takes its time. */
const PATIENT = { timeoutMs: 90_000 }

/** One web program, and workers as a test starts them, with S3 and no folder in common. */
export async function openS3Workers() {
  await using building = new AsyncDisposableStack()
  const s3 = building.adopt(await startS3Server(), (server) => server.stop())
  const database = building.adopt(await migratedPostgres(), (postgres) => postgres.drop())
  const rtmp = building.adopt(await startRtmpServer(), (server) => server.stop())
  const folder = building.adopt(await tempDir('s3-workers'), (dir) => dir.remove())
  const shared: Settings = {
    ...s3.env,
    ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis(), APP_SECRET: 'satu rahasia untuk semua' },
  }
  const start = async (WORKER_ID: string, env: Settings): Promise<Siarin> =>
    props.adopt(
      await startSiarin({ dataDir: join(folder.path, WORKER_ID), env: { ...shared, WORKER_ID, ...env } }),
      (siarin) => siarin.dispose(),
    )
  const db = openPostgres(new Secret(database.url), pino({ level: 'silent' }))
  building.defer(() => db.destroy())
  const props = building.move()
  const web = await start('web-1', { ROLE: 'web' }).catch(async (error) => {
    await props.disposeAsync()
    throw error
  })

  const rowOf = (streamId: string) =>
    db.selectFrom('streams').selectAll().where('id', '=', streamId).executeTakeFirstOrThrow()
  return {
    ...{ s3, rtmp, web, db, rowOf, folder: folder.path },
    calls: streamCalls(web.url, rtmp),
    startWorker: (name: string, env: Settings = {}) => start(name, { ROLE: 'worker', ...env }),
    /** As it tells of itself. */
    roomOf: async (worker: string): Promise<number> =>
      (await db.selectFrom('worker_leases').select('room').where('id', '=', worker).executeTakeFirstOrThrow()).room,
    waitForKeeper: (streamId: string, worker: string) =>
      waitFor(`${worker} to keep it`, async () => (await rowOf(streamId)).worker === worker, PATIENT),
    [Symbol.asyncDispose]: () => props.disposeAsync(),
  }
}

/** The whole copies in the cache of a program, by their key, with their size. */
export async function copiesIn(cache: string): Promise<Map<string, number>> {
  const copies = new Map<string, number>()
  const entries = await readdir(cache, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))) {
    const path = join(parentPath, name)
    copies.set(path.slice(cache.length + 1), (await stat(path)).size)
  }
  return copies
}
