import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Postgres, startPostgres } from '@siarin/testkit/postgres'
import { processesUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

/** A connection may be waited for for 10 s, and an answer for 10 s more. */
const BOUND_MS = 20_000

let folder: TempDir
let rtmp: RtmpServer
let postgres: Postgres
let siarin: Siarin

beforeAll(async () => {
  folder = await tempDir('hung-database')
  await makeClip(join(folder.path, 'klip.mp4'), { seconds: 3 })
  ;[rtmp, postgres] = await Promise.all([startRtmpServer(), startPostgres()])
  siarin = await startSiarin({ env: { DATABASE_URL: await postgres.createDatabase() } })
})
afterAll(async () => {
  await siarin?.dispose()
  await postgres?.stop()
  await rtmp?.stop()
  await folder?.remove()
})

describe('a PostgreSQL that hangs', () => {
  it('is answered for with an error in bounded time, and takes no broadcast off air', async () => {
    const { apiKey } = await personWithVideo(siarin.url, join(folder.path, 'klip.mp4'))
    const calls = streamCalls(siarin.url, rtmp)
    await calls.start(apiKey, 'gantung')
    await waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
    const { id } = await rtmp.waitForPublisher('gantung', { growing: true })
    // The server and all of its processes, each of which works for one connection.
    const hung = await processesUnder(postgres.folder)
    for (const { pid } of hung) process.kill(pid, 'SIGSTOP')
    try {
      const began = Date.now()
      const answers = await Promise.all(
        Array.from({ length: 15 }, () => call(siarin.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)),
      )
      const tookMs = Date.now() - began
      process.stdout.write(`a hung database: answers after ${tookMs} ms (bound ${BOUND_MS})\n`)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]))
      expect(tookMs).toBeLessThan(5 * BOUND_MS)
      expect(await rtmp.waitForPublisher('gantung', { growing: true })).toMatchObject({ id })
    } finally {
      for (const { pid } of hung) process.kill(pid, 'SIGCONT')
    }
    const [stream] = await waitFor('the database to be back', async () => {
      const streams = await calls.active(apiKey)
      return streams?.[0]?.state === 'live' && streams
    })
    expect(stream).toMatchObject({ restarts: 0, reconnects: 0 })
    expect(await rtmp.waitForPublisher('gantung', { growing: true })).toMatchObject({ id })
  })
})
