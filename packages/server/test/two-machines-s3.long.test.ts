import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import type { PostgresDatabase } from '@siarin/testkit/postgres'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placeOf } from '../src/platform/storage/s3-client.ts'
import { CALM } from './support/databases.ts'
import { call, processed, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'
import { streamCalls } from './support/streams.ts'
import { locationOf, tusOf } from './support/tus.ts'

const PREFIX = 'siarin/'
/** Less than an S3 store takes as a part. */
const PIECE_BYTES = 700_000
const LARGE_BYTES = 16_000_000
/** Longer than the clip: what is sent then was read before. */
const HANG_MS = 6_000

describe('[MANY-01] two machines with PostgreSQL, Redis and S3, and no folder in common', { timeout: 300_000 }, () => {
  let s3: S3Server
  let database: PostgresDatabase
  let rtmp: RtmpServer
  let folder: TempDir
  let clip: string
  let one: TestProgram
  let other: TestProgram

  beforeAll(async () => {
    ;[s3, database, rtmp, folder] = await Promise.all([
      startS3Server(),
      migratedPostgres(),
      startRtmpServer(),
      tempDir('two-machines'),
    ])
    clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 5 })
    const env = {
      ...s3.env,
      S3_PREFIX: PREFIX,
      DATABASE_URL: database.url,
      REDIS_URL: await freshRedis(),
      APP_SECRET: 'satu rahasia untuk dua mesin',
    }
    const timings = {
      ...CALM,
      storageRemovals: { everyMs: 300, firstRetryMs: 300 },
      finishedUploads: { everyMs: 1_000, againMs: 1_000 },
    }
    one = await startProgram(env, timings)
    other = await startProgram(env, timings)
  })
  afterAll(async () => {
    s3.resume()
    await Promise.all([one.close(), other.close()])
    await Promise.all([s3.stop(), rtmp.stop(), database.drop(), folder.remove()])
  })

  const place = () =>
    placeOf({
      ...{ endpoint: s3.env.S3_ENDPOINT, region: s3.env.S3_REGION, bucket: s3.env.S3_BUCKET, prefix: PREFIX },
      accessKeyId: s3.env.S3_ACCESS_KEY_ID,
      secretAccessKey: new Secret(s3.env.S3_SECRET_ACCESS_KEY),
    })
  async function stored(below = ''): Promise<string[]> {
    const { client, bucket } = place()
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: PREFIX + below }))
    return Contents.map(({ Key = '' }) => Key.slice(PREFIX.length))
  }
  async function beingSent(): Promise<string[]> {
    const { client, bucket } = place()
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
    return Uploads.map(({ Key = '' }) => Key)
  }
  const idOf = async ({ email }: { email: string }): Promise<string> =>
    (await one.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  const watch = (at: TestProgram, apiKey: string, path = 'klip.mp4', headers = {}) =>
    fetch(`${at.url}/fitur/video/${path}?apiKey=${apiKey}`, { headers })

  it('what one takes in and prepares, the other plays: in parts, under conditions, with its picture', async () => {
    const { user } = await signIn(one.url)
    expect((await uploadVideo(one.url, user.apiKey, clip)).status).toBe(200)
    expect(await processed(other.url, user.apiKey, 'klip.mp4')).toMatchObject({ status: 'ready' })
    const [here, there] = await Promise.all([watch(one, user.apiKey), watch(other, user.apiKey)])
    const [bytes, same] = [Buffer.from(await here.arrayBuffer()), Buffer.from(await there.arrayBuffer())]
    expect([here.status, there.status, bytes.equals(same)]).toEqual([200, 200, true])
    const etag = there.headers.get('etag') ?? ''
    expect(here.headers.get('etag')).toBe(etag)
    expect(there.headers.get('accept-ranges')).toBe('bytes')

    const part = await watch(other, user.apiKey, 'klip.mp4', { range: 'bytes=1000-1999', 'if-range': etag })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${bytes.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
    const statuses = [
      // By itself `fetch` asks for the bytes, whatever it names.
      { 'if-none-match': etag, 'cache-control': 'max-age=0' },
      { 'if-match': '"another"' },
      { range: `bytes=${bytes.length}-` },
      { range: 'bytes=0-9', 'if-range': '"another"' },
    ].map(async (headers) => (await watch(other, user.apiKey, 'klip.mp4', headers)).status)
    expect(await Promise.all(statuses)).toEqual([304, 412, 416, 200])
    for (const at of [one, other]) {
      const picture = await watch(at, user.apiKey, 'klip.mp4/thumbnail')
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(500)
      expect(await readdir(join(at.dataDir, 'media')).catch(() => [])).toEqual([])
    }
    expect(await watch(other, (await signIn(one.url)).user.apiKey)).toMatchObject({ status: 404 })
  })

  it('either takes the next piece of a resumable upload', async () => {
    // A box that players skip makes it large: what it takes to prepare it is not the point here.
    const box = Buffer.alloc(8)
    box.writeUInt32BE(LARGE_BYTES)
    box.write('free', 4, 'latin1')
    const bytes = Buffer.concat([await readFile(clip), box, randomBytes(LARGE_BYTES - box.length)])
    const { user } = await signIn(one.url)
    const machines = [one, other].map(({ url }) => tusOf(url, user.apiKey)) as [
      ReturnType<typeof tusOf>,
      ReturnType<typeof tusOf>,
    ]
    const created = await machines[0].create(bytes.length, 'besar.mp4')
    expect(created.status).toBe(201)
    const location = locationOf(created)
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const tus = machines[turn % 2 === 0 ? 1 : 0]
      const offset = (await tus.head(location)).headers.get('upload-offset')
      expect(offset).toBe(String(at))
      const piece = bytes.subarray(at, at + PIECE_BYTES * (turn % 3 === 2 ? 9 : 1))
      expect((await tus.patch(location, at, piece)).status).toBe(204)
      at += piece.length
    }
    expect(await processed(one.url, user.apiKey, 'besar.mp4')).toMatchObject({ status: 'ready', size: bytes.length })
    // Its last answer may have been lost.
    expect((await machines[1].head(location)).headers.get('upload-offset')).toBe(String(bytes.length))
    expect(await stored('up/')).toEqual([])
    expect(await beingSent()).toEqual([])
  })

  it('a piece that breaks off on one goes on at the other, and a cancelled upload leaves nothing', async () => {
    const bytes = randomBytes(3_000_000)
    const { user } = await signIn(one.url)
    const [here, there] = [tusOf(one.url, user.apiKey), tusOf(other.url, user.apiKey)]
    const location = locationOf(await here.create(bytes.length, 'putus.mp4'))
    const abort = new AbortController()
    const sending = fetch(new URL(location, one.url), {
      method: 'PATCH',
      headers: {
        ...{ 'tus-resumable': '1.0.0', 'x-api-key': user.apiKey, 'upload-offset': '0' },
        'content-type': 'application/offset+octet-stream',
      },
      body: new ReadableStream({
        async start(controller) {
          controller.enqueue(bytes.subarray(0, 1_000_000))
          await sleep(1_000)
          abort.abort()
        },
      }),
      duplex: 'half',
      signal: abort.signal,
    } as RequestInit & { duplex: string })
    await expect(sending).rejects.toThrow()
    const offsetOf = async () => Number((await there.head(location)).headers.get('upload-offset'))
    await waitFor('what came to be counted', async () => (await offsetOf()) === 1_000_000)
    expect((await there.patch(location, 1_000_000, bytes.subarray(1_000_000, 2_000_000))).status).toBe(204)
    expect((await here.patch(location, 1_000_000, bytes.subarray(1_000_000))).status).toBe(409)
    expect((await here.remove(location)).status).toBe(204)
    expect((await there.head(location)).status).toBeGreaterThanOrEqual(404)
    expect([await stored('up/'), await beingSent()]).toEqual([[], []])
  })

  it('a file that is no video is refused, and nothing of it stays', async () => {
    const { user } = await signIn(one.url)
    const tus = tusOf(other.url, user.apiKey)
    const location = locationOf(await tus.create(100_000, 'bukan.mp4'))
    expect((await tus.patch(location, 0, randomBytes(100_000))).status).toBe(422)
    expect(await stored(`${await idOf(user)}/`)).toEqual([])
    expect(await stored('up/')).toEqual([])
  })

  it('a broadcast plays on from its copy while the store hangs for longer than a pass, and what was deleted meanwhile goes afterwards', async () => {
    const { user } = await signIn(one.url)
    for (const name of ['klip.mp4', 'lain.mp4'])
      expect((await uploadVideo(one.url, user.apiKey, clip, name)).status).toBe(200)
    for (const name of ['klip.mp4', 'lain.mp4']) await processed(one.url, user.apiKey, name)
    const calls = streamCalls(one.url, rtmp)
    expect((await calls.start(user.apiKey, 'tahan')).status).toBe(200)
    const before = await rtmp.waitForPublisher('tahan', { growing: true })
    const own = `${await idOf(user)}/`
    const files = await stored(own)
    s3.pause()
    try {
      const deleted = await call(other.url, 'DELETE', '/fitur/video/delete/lain.mp4', { body: { apiKey: user.apiKey } })
      expect(deleted.status).toBe(200)
      await sleep(HANG_MS)
      const hung = await rtmp.waitForPublisher('tahan', { growing: true })
      expect(hung.id).toBe(before.id)
    } finally {
      s3.resume()
    }
    expect((await rtmp.waitForPublisher('tahan', { growing: true })).id).toBe(before.id)
    await waitFor('the files to go', async () => (await stored(own)).length < files.length, {
      timeoutMs: 60_000,
    })
    await waitFor('nothing to be left to remove', async () => {
      const rows = await one.db.selectFrom('storage_removals').selectAll().execute()
      return rows.length === 0
    })
    const [stream] = await calls.active(user.apiKey)
    expect(stream).toMatchObject({ state: 'live', restarts: 0 })
    await calls.stopAll(user.apiKey)
  })

  it('says nothing of the secret', () => {
    for (const { logged } of [one, other]) expect(logged()).not.toContain(s3.env.S3_SECRET_ACCESS_KEY)
  })
})
