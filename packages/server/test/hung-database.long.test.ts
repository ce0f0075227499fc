import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Postgres, startPostgres } from '@siarin/testkit/postgres'
import { processesUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openPostgres } from '../src/platform/db/database.ts'
import { call, personWithVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

/** A connection may be waited for for 10 s, and an answer for 10 s more. */
const BOUND_MS = 20_000

let folder: TempDir
let rtmp: RtmpServer
let postgres: Postgres
let siarin: Siarin
/** Our own way to the same server, and another that looks whether what was written is there. */
let writer: Db
let reader: Db

beforeAll(async () => {
  folder = await tempDir('hung-database')
  await makeClip(join(folder.path, 'klip.mp4'), { seconds: 3 })
  ;[rtmp, postgres] = await Promise.all([startRtmpServer(), startPostgres()])
  siarin = await startSiarin({ env: { DATABASE_URL: await postgres.createDatabase() } })
  const url = new Secret(await postgres.createDatabase())
  ;[writer, reader] = [0, 1].map(() => openPostgres(url, pino({ level: 'silent' }))) as [Db, Db]
})
afterAll(async () => {
  await writer?.destroy()
  await reader?.destroy()
  await siarin?.dispose()
  await postgres?.stop()
  await rtmp?.stop()
  await folder?.remove()
})

async function whileHung(work: () => Promise<void>): Promise<void> {
  // The server and all of its processes, each of which works for one connection.
  const hung = await processesUnder(postgres.folder)
  for (const { pid } of hung) process.kill(pid, 'SIGSTOP')
  try {
    await work()
  } finally {
    for (const { pid } of hung) process.kill(pid, 'SIGCONT')
  }
}

describe('a PostgreSQL that hangs', () => {
  it('is answered for with 503 in bounded time, takes no broadcast off air, and loses nothing that is written once it is back', async () => {
    const { apiKey } = await personWithVideo(siarin.url, join(folder.path, 'klip.mp4'))
    const calls = streamCalls(siarin.url, rtmp)
    await calls.start(apiKey, 'gantung')
    await waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
    const { id } = await rtmp.waitForPublisher('gantung', { growing: true })
    await sql`create table notes (note text)`.execute(writer)
    await whileHung(async () => {
      const began = Date.now()
      const givenUp = expect(writer.transaction().execute(async () => {})).rejects.toThrow()
      const answers = await Promise.all(
        Array.from({ length: 15 }, () => call(siarin.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)),
      )
      const tookMs = Date.now() - began
      process.stdout.write(`a hung database: answers after ${tookMs} ms (bound ${BOUND_MS})\n`)
      for (const { status, body, headers } of answers) {
        expect(status).toBe(503)
        expect(body).toMatchObject({ success: false, code: 'server_busy' })
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect(tookMs).toBeLessThan(5 * BOUND_MS)
      expect(await rtmp.waitForPublisher('gantung', { growing: true })).toMatchObject({ id })
      await givenUp
    })
    // The server carries out the `begin` that was given up: what is written on that connection would never be kept.
    await sql`insert into notes values ('answered as done')`.execute(writer)
    expect((await sql`select note from notes`.execute(reader)).rows).toEqual([{ note: 'answered as done' }])
    const [stream] = await waitFor('the database to be back', async () => {
      const streams = await calls.active(apiKey)
      return streams?.[0]?.state === 'live' && streams
    })
    expect(stream).toMatchObject({ restarts: 0, reconnects: 0 })
    expect(await rtmp.waitForPublisher('gantung', { growing: true })).toMatchObject({ id })
  })
})
