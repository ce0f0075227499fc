import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo, signIn } from './support/program.ts'
import { emptyPostgres, freshRedis } from './support/shared-servers.ts'

let folder: Awaited<ReturnType<typeof tempDir>>
let rtmp: RtmpServer
let clip: string
/** With the usual settings: each start takes a second of the processor. */
let usual: Siarin
const running: Siarin[] = []

beforeAll(async () => {
  folder = await tempDir('program')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  ;[rtmp, usual] = await Promise.all([startRtmpServer(), startSiarin()])
})
afterEach(async () => {
  for (const siarin of running.splice(0)) await siarin.dispose()
})
afterAll(async () => {
  await usual.dispose()
  await rtmp.stop()
  await folder.remove()
})

async function start(options: Parameters<typeof startSiarin>[0] = {}): Promise<Siarin> {
  const siarin = await startSiarin(options)
  running.push(siarin)
  return siarin
}

/** What a start that cannot succeed says. */
const refusal = (options: Parameters<typeof startSiarin>[0]): Promise<string> =>
  startSiarin(options).then(
    async (siarin) => {
      await siarin.dispose()
      return 'it started'
    },
    (error: Error) => error.message,
  )

async function goLive(siarin: Siarin, key: string) {
  const { apiKey } = await personWithVideo(siarin, clip)
  const { body } = await call(siarin.url, 'POST', '/fitur/steam/start', {
    body: { apiKey, source: 'klip.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/${key}`, looping: true },
  })
  await rtmp.waitForPublisher(key, { growing: true })
  await waitFor('the stream to be live', async () => (await stateOf(siarin, apiKey)) === 'live')
  return { apiKey, streamId: body.streamId as string }
}

const stateOf = async (siarin: Siarin, apiKey: string): Promise<string | undefined> =>
  (await call(siarin.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)).body.streams[0]?.state

const stop = (siarin: Siarin, { apiKey, streamId }: { apiKey: string; streamId: string }) =>
  call(siarin.url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId } })

describe('a start that cannot succeed says why in one line', () => {
  it('when the port is taken', async () => {
    const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const message = await refusal({ port })
    other.close()
    expect(message).toContain('exit code 1')
    expect(message).toContain(`Siarin cannot start: PORT ${port} is taken`)
    expect(message).not.toMatch(/\n\s+at /)
  })

  it('when settings are wrong: all of them', async () => {
    const message = await refusal({ env: { ROLE: 'boss', TRIAL_DAYS: 'many' } })
    expect(message).toContain('Siarin cannot start: ROLE must be all, web or worker')
    expect(message).toContain('Siarin cannot start: TRIAL_DAYS must be a whole number')
  })

  it('when the data folder cannot be written to', async () => {
    const file = join(folder.path, 'a-file')
    await writeFile(file, '')
    expect(await refusal({ dataDir: file })).toContain(`Siarin cannot start: DATA_DIR ${file} cannot be written to`)
  })

  it('when another Siarin keeps the broadcasts of this folder, and that one is not disturbed', async () => {
    const stream = await goLive(usual, 'lock-key')
    const message = await refusal({ dataDir: usual.dataDir })
    expect(message).toContain(`is in use by another Siarin (process ${usual.pid})`)
    expect(await stateOf(usual, stream.apiKey)).toBe('live')
    await rtmp.waitForPublisher('lock-key', { growing: true })
    await stop(usual, stream)
  })

  it('when ffmpeg cannot be run', async () => {
    expect(await refusal({ env: { FFMPEG_PATH: '/nope' } })).toContain(
      'Siarin cannot start: FFMPEG_PATH /nope cannot be run',
    )
  })

  it('when the database cannot be reached', async () => {
    const message = await refusal({ env: { DATABASE_URL: 'postgres://me:very-secret@127.0.0.1:9/db' } })
    expect(message).toContain('Siarin cannot start: DATABASE_URL')
    expect(message).toContain('connect ECONNREFUSED')
    expect(message).not.toContain('very-secret')
  })

  it('when Redis does not take the password', async () => {
    const database = await emptyPostgres()
    const redis = Object.assign(new URL(await freshRedis()), { username: 'nobody', password: 'very-secret' })
    const message = await refusal({ env: { DATABASE_URL: database.url, REDIS_URL: redis.href } })
    await database.drop()
    expect(message).toContain('Siarin cannot start: REDIS_URL: Redis refuses us (WRONGPASS')
    expect(message).not.toContain('very-secret')
  })
})

describe('the program', () => {
  it('answers /healthz and /readyz, and is not ready without ffmpeg', async () => {
    expect((await call(usual.url, 'GET', '/healthz')).status).toBe(200)
    expect((await call(usual.url, 'GET', '/readyz')).status).toBe(200)

    // A tool that is there at the start and gone later.
    const tool = join(folder.path, 'bin', 'ffmpeg')
    await mkdir(join(folder.path, 'bin'), { recursive: true })
    await writeFile(tool, '#!/bin/sh\nexit 0\n')
    await chmod(tool, 0o755)
    const other = await start({ env: { FFMPEG_PATH: tool } })
    await writeFile(tool, '#!/bin/sh\nexit 1\n')
    const notReady = await waitFor('it to notice', async () => {
      const reply = await call(other.url, 'GET', '/readyz')
      return reply.status === 503 && reply
    })
    expect(notReady.body.message).toBe('not ready: ffmpeg')
    expect((await call(other.url, 'GET', '/healthz')).status).toBe(200)
  })

  it('logs JSON with request ids, and no key that came in a query', async () => {
    const { apiKey } = (await signIn(usual.url)).user
    const reply = await call(usual.url, 'GET', `/fitur/video?apiKey=${apiKey}`)
    const id = reply.headers.get('x-request-id')
    const line = await waitFor('the line of the request', async () =>
      usual
        .output()
        .split('\n')
        .find((each) => each.includes(`"${id}"`)),
    )
    expect(JSON.parse(line)).toMatchObject({ reqId: id, method: 'GET', url: '/fitur/video?…', status: 200 })
    expect(usual.output()).not.toContain(apiKey)
  })

  it('tells its figures to this machine or with a token, and to nobody else', async () => {
    const open = await start({ env: { TRUST_PROXY: 'false' } })
    const stream = await goLive(open, 'metrics-key')
    const answer = await fetch(`${open.url}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const text = await answer.text()
    expect(text).toContain('siarin_streams{phase="live"} 1')
    expect(text).toContain('siarin_jobs{kind="stream",state="active"} 1')
    expect(text).toContain('siarin_jobs{kind="prepare-video",state="waiting"} 0')
    expect(Number(/siarin_stream_bytes_total (\d+)/.exec(text)?.[1])).toBeGreaterThan(0)
    expect(text).toMatch(
      /siarin_http_request_seconds_count\{method="POST",route="\/fitur\/steam\/start",status="200"\} 1/,
    )
    expect((await fetch(`${open.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } })).status).toBe(404)
    await stop(open, stream)

    // Behind a proxy everybody comes from this machine.
    expect((await fetch(`${usual.url}/metrics`)).status).toBe(404)

    await open.restart({ TRUST_PROXY: 'true', METRICS_TOKEN: 'a token for the operator' })
    const get = (headers: Record<string, string>) => fetch(`${open.url}/metrics`, { headers })
    expect((await get({})).status).toBe(404)
    expect((await get({ authorization: 'Bearer another token entirely' })).status).toBe(404)
    expect((await get({ authorization: 'Bearer a token for the operator' })).status).toBe(200)

    // A proxy that nobody named, and that says nothing of its visitors, comes from this machine too.
    const named = { TRUST_PROXY: 'false', PUBLIC_URL: 'https://siarin.example' }
    await open.restart({ ...named, METRICS_TOKEN: '' })
    expect((await get({})).status).toBe(404)
    await open.restart({ ...named, METRICS_TOKEN: 'a token for the operator' })
    expect((await get({})).status).toBe(404)
    expect((await get({ authorization: 'Bearer a token for the operator' })).status).toBe(200)
  })

  it('starts again with the secret that it made, readable by nobody else, and on a database to which a later version has added', async () => {
    const { user } = await signIn(usual.url)
    const file = join(usual.dataDir, 'secret')
    const secret = await readFile(file, 'utf8')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await usual.stop()
    const message = await refusal({ dataDir: usual.dataDir, env: { APP_SECRET: 'the secret of another day' } })
    expect(message).toContain('Siarin cannot start: APP_SECRET is not the one')

    // An upgrade can be taken back.
    const database = new SqliteDatabase(join(usual.dataDir, 'siarin.db'))
    database.exec(`alter table users add column of_later text;
      insert into kysely_migration (name, timestamp) values ('9999-of-later', '2030-01-01T00:00:00.000Z')`)
    database.close()
    await usual.restart()
    expect((await call(usual.url, 'GET', `/fitur/video?apiKey=${user.apiKey}`)).status).toBe(200)
    expect(await readFile(file, 'utf8')).toBe(secret)
  })

  it.runIf(isWholeRun)('runs as web and worker apart, on PostgreSQL and Redis', async () => {
    const database = await emptyPostgres()
    const dataDir = join(folder.path, 'shared')
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: await freshRedis(),
      APP_SECRET: 'shared by both of them',
      SHARED_DATA_DIR: 'true',
    }
    const web = await start({ dataDir, env: { ...env, ROLE: 'web' } })
    const worker = await start({ dataDir, env: { ...env, ROLE: 'worker' } })
    expect((await call(worker.url, 'GET', '/fitur/video')).status).toBe(404)

    const stream = await goLive(web, 'apart-key')
    const [ffmpeg] = await ffmpegsUnder(dataDir)
    // The worker's warden has started it.
    const parentOf = async (pid: number) =>
      Number((await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[1])
    expect(await parentOf(await parentOf(ffmpeg?.pid ?? 0))).toBe(worker.pid)

    expect((await stop(web, stream)).status).toBe(200)
    await rtmp.waitForNoPublisher('apart-key')
    for (const siarin of running.splice(0)) await siarin.dispose()
    await database.drop()
  })
})
