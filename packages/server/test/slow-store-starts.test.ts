import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { blankVideo } from '../src/modules/library/new-videos.ts'
import { systemClock } from '../src/platform/clock.ts'
import { openSqlite } from '../src/platform/db/database.ts'
import { createSealer } from '../src/platform/secrets/seal.ts'
import { createProgram } from '../src/program.ts'
import { addUser } from './support/repo-databases.ts'
import { putMigratedSqlite } from './support/shared-servers.ts'

const APP_SECRET = 'a-secret-of-enough-length'
const EMPTY = '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'

/** It tells what it has, and does not answer who asks for one file. */
async function startHangingStore() {
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.method === 'HEAD') held.push(response)
    else response.setHeader('content-type', 'application/xml').end(EMPTY)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    held,
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'siarin-media',
      S3_ACCESS_KEY_ID: 'siarin',
      S3_SECRET_ACCESS_KEY: 'a-secret-of-the-tests-own',
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

it('[SAFE-03] a start takes the broadcasts up before it asks the store for unfinished videos, however slow that is', async () => {
  await using props = new AsyncDisposableStack()
  const folder = props.adopt(await tempDir('slow-store'), (dir) => dir.remove())
  const store = props.adopt(await startHangingStore(), async (server) => server.stop())
  await putMigratedSqlite(join(folder.path, 'siarin.db'))
  const db = props.adopt(openSqlite(join(folder.path, 'siarin.db')), (opened) => opened.destroy())
  const userId = await addUser(db)
  const api_key_sealed = createSealer(new Secret(APP_SECRET)).seal(new Secret('a-key'))
  await db.updateTable('users').set({ api_key_sealed }).execute()
  for (const id of ['3b1c2a90-8f0e-4d2e-9d57-6a1c1d0e9f22', '5d1c2a90-8f0e-4d2e-9d57-6a1c1d0e9f23']) {
    const original_key = `${userId}/${id}/original.mp4`
    const row = { ...blankVideo(id, userId, Date.now() - 60_000), filename: `${id}.mp4`, original_key }
    await db.insertInto('videos').values(row).execute()
  }
  const config = readConfig({ DATA_DIR: folder.path, APP_SECRET, ...store.env })
  const program = await createProgram(config, pino({ level: 'silent' }), systemClock)
  expect(store.held).toHaveLength(0)
  const url = await program.app.listen({ port: 0, host: '127.0.0.1' })
  await program.start()
  expect(store.held).toHaveLength(0)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  // Afterwards it does ask, beside all else.
  await waitFor('the store to be asked', async () => store.held.length > 0)
  // A job that waits for the store ends with it.
  store.stop()
  await program.close()
  expect(await db.selectFrom('videos').select('status').execute()).toEqual([
    { status: 'processing' },
    { status: 'processing' },
  ])
})
