import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { makeClip } from '@siarin/testkit/clips'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cuttingLine } from './support/cutting-line.ts'
import { signIn, startProgram, type TestProgram, videosOf } from './support/program.ts'
import { locationOf, tusOf } from './support/tus.ts'

const MB = 1024 ** 2

let folder: TempDir
let s3: S3Server
let line: Awaited<ReturnType<typeof cuttingLine>>
let program: TestProgram
let video: Buffer

beforeAll(async () => {
  folder = await tempDir('parts')
  const clip = join(folder.path, 'besar.mp4')
  const noise = ['-vf', 'noise=alls=60:allf=t', '-b:v', '5M', '-maxrate', '5M', '-bufsize', '5M']
  await makeClip(clip, { seconds: 6.4, width: 640, height: 360, extraArgs: noise, times: 10 })
  video = await readFile(clip)
  s3 = await startS3Server()
  line = await cuttingLine(s3.env.S3_ENDPOINT)
  const finishedUploads = { everyMs: 1_000, againMs: 1_000 }
  program = await startProgram({ ...s3.env, S3_ENDPOINT: line.url }, { finishedUploads })
}, 120_000)
afterAll(async () => {
  await program?.close()
  line?.stop()
  await s3?.stop()
  await folder?.remove()
})

function store() {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: Bucket, ...keys } = s3.env
  const credentials = { accessKeyId: keys.S3_ACCESS_KEY_ID, secretAccessKey: keys.S3_SECRET_ACCESS_KEY }
  return { client: new S3Client({ endpoint, region, forcePathStyle: true, credentials }), Bucket }
}

async function stored(key: string): Promise<Buffer> {
  const { client, Bucket } = store()
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

async function hasArrivedAsSent(location: string): Promise<void> {
  const id = location.split('~').at(-1) ?? ''
  const columns = program.db.selectFrom('videos').select(['original_key', 'original_bytes'])
  const row = await columns.where('id', '=', id).executeTakeFirstOrThrow()
  expect(row.original_bytes).toBe(video.length)
  expect((await stored(row.original_key ?? '')).equals(video)).toBe(true)
}

const uploader = async () => {
  const { user } = await signIn(program.url)
  return { ...user, tus: tusOf(program.url, user.apiKey) }
}

async function leavesNoFile(): Promise<void> {
  const all = () => readdir(join(program.dataDir, 'resumable'), { recursive: true, withFileTypes: true })
  await waitFor('no part to lie on the disk', async () => (await all()).every((entry) => !entry.isFile()))
}

it('[UPL-04] an upload whose connection to the store is cut in one part goes on from there, and arrives as it was sent', async () => {
  expect(video.length).toBeGreaterThan(26 * MB)
  const { tus, apiKey } = await uploader()
  const location = locationOf(await tus.create(video.length, 'besar.mp4'))
  const cut = await line.cutting(/^PUT \S*partNumber=2&/, async () => {
    const broken = await tus.patch(location, 0, video).catch(() => null)
    expect(broken?.status).not.toBe(204)
  })
  const offset = Number((await tus.head(location)).headers.get('upload-offset'))
  await leavesNoFile()
  // One part of 8 MB has arrived, and nothing behind the one that was cut.
  expect([cut, offset]).toEqual([1, 8 * MB])
  expect((await tus.patch(location, offset, video.subarray(offset))).status).toBe(204)
  expect(await videosOf(program.url, apiKey)).toHaveLength(1)
  await hasArrivedAsSent(location)
}, 120_000)

const offsetOf = async (tus: ReturnType<typeof tusOf>, location: string): Promise<number> =>
  Number((await tus.head(location)).headers.get('upload-offset'))

it('[UPL-04] an upload whose parts the store has, but could not be told to join, becomes a video', async () => {
  const { tus, apiKey } = await uploader()
  const location = locationOf(await tus.create(video.length, 'besar.mp4'))
  const cut = await line.cutting(/^POST \S*uploadId=/, async () => {
    const broken = await tus.patch(location, 0, video).catch(() => null)
    expect(broken?.status).not.toBe(204)
  })
  expect(cut).toBeGreaterThan(0)
  await waitFor('the video', async () => (await videosOf(program.url, apiKey)).length === 1)
  await hasArrivedAsSent(location)
  expect(await offsetOf(tus, location)).toBe(video.length)
}, 300_000)

it('[UPL-04] an upload that an earlier version left with a gap goes on from the gap, and arrives as it was sent', async () => {
  const { tus } = await uploader()
  const location = locationOf(await tus.create(video.length, 'besar.mp4'))
  const id = location.split('/').at(-1) ?? ''
  const { client, Bucket } = store()
  const record = await client.send(new HeadObjectCommand({ Bucket, Key: `up/${id}.info` }))
  const where = { Bucket, Key: `${id.replace('~', '/')}/original`, UploadId: record.Metadata?.['upload-id'] }
  for (const part of [1, 3]) {
    const Body = video.subarray((part - 1) * 8 * MB, part * 8 * MB)
    await client.send(new UploadPartCommand({ ...where, PartNumber: part, Body }))
  }
  await client.send(new PutObjectCommand({ Bucket, Key: `up/${id}.part`, Body: video.subarray(24 * MB, 25 * MB) }))
  expect(await offsetOf(tus, location)).toBe(8 * MB)
  // A shorter part than the one that was missing: what lies behind the gap must not follow it.
  expect((await tus.patch(location, 8 * MB, video.subarray(8 * MB, 14 * MB))).status).toBe(204)
  expect(await offsetOf(tus, location)).toBe(14 * MB)
  expect((await tus.patch(location, 14 * MB, video.subarray(14 * MB))).status).toBe(204)
  await hasArrivedAsSent(location)
}, 300_000)

describe('[UPL-04] an upload whose last bytes are too few for a part', () => {
  describe('and that then brings a byte more than was said', () => {
    async function cancelled(tus: ReturnType<typeof tusOf>, location: string): Promise<void> {
      expect(await offsetOf(tus, location)).toBe(4 * MB)
      expect((await tus.remove(location)).status).toBe(204)
      await leavesNoFile()
    }

    it('is refused, and can be cancelled', async () => {
      const { tus } = await uploader()
      const location = locationOf(await tus.create(6 * MB))
      await tus.patch(location, 0, Buffer.alloc(4 * MB))
      expect((await tus.patchChunked(location, 4 * MB, [Buffer.alloc(2 * MB + 1)])).status).toBe(413)
      await cancelled(tus, location)
    }, 20_000)

    it('is refused and can be cancelled also while the store is asked for the others', async () => {
      const { tus } = await uploader()
      const location = locationOf(await tus.create(6 * MB))
      await tus.patch(location, 0, Buffer.alloc(4 * MB))
      async function* pieces() {
        yield Buffer.alloc(MB / 8)
        await sleep(500)
        yield Buffer.alloc(2 * MB)
      }
      let answer: Promise<Response> | undefined
      // The store answers a second later, once it is asked again.
      const cut = await line.cutting(/^GET \S*\.part/, async () => {
        answer = tus.patchChunked(location, 4 * MB, pieces())
        await sleep(800)
      })
      expect([cut, (await answer)?.status]).toEqual([1, 413])
      await cancelled(tus, location)
    }, 20_000)
  })

  it('has them for as long as the store does not get them together with more', async () => {
    const { tus } = await uploader()
    const location = locationOf(await tus.create(video.length, 'besar.mp4'))
    await tus.patch(location, 0, video.subarray(0, 3 * MB))
    const cut = await line.cutting(/^PUT \S*\.part/, async () => {
      const broken = await tus.patch(location, 3 * MB, video.subarray(3 * MB, 4 * MB)).catch(() => null)
      expect(broken?.status).not.toBe(204)
    })
    expect([cut, await offsetOf(tus, location)]).toEqual([1, 3 * MB])
    // Nor do they count twice where a part has them, and the store could not be told to take them away.
    const uncleared = await line.cutting(/^DELETE \S*\.part/, () =>
      tus.patch(location, 3 * MB, video.subarray(3 * MB, 7 * MB)).catch(() => null),
    )
    const offset = await offsetOf(tus, location)
    expect([uncleared > 0, offset]).toEqual([true, 7 * MB])
    expect((await tus.patch(location, offset, video.subarray(offset))).status).toBe(204)
    await hasArrivedAsSent(location)
  }, 120_000)

  it('goes on with those that an earlier version has stored', async () => {
    const { tus } = await uploader()
    const location = locationOf(await tus.create(video.length, 'besar.mp4'))
    await tus.patch(location, 0, video.subarray(0, 3 * MB))
    const { client, Bucket } = store()
    const Key = `up/${location.split('/').at(-1)}.part`
    expect((await stored(Key)).length).toBe(3 * MB)
    // It said nothing of them.
    await client.send(new PutObjectCommand({ Bucket, Key, Body: video.subarray(0, 3 * MB) }))
    const uncleared = await line.cutting(/^DELETE \S*\.part/, () =>
      tus.patch(location, 3 * MB, video.subarray(3 * MB, 7 * MB)).catch(() => null),
    )
    const offset = await offsetOf(tus, location)
    expect([uncleared > 0, offset]).toEqual([true, 3 * MB])
    expect((await tus.patch(location, offset, video.subarray(offset))).status).toBe(204)
    await hasArrivedAsSent(location)
  }, 300_000)

  // By the clock, and it takes most of a minute beside other tests: the unit test of the pace says the same for every change.
  it.runIf(isWholeRun)(
    'waits for nothing where it comes in pieces of a megabyte',
    async () => {
      const { tus } = await uploader()
      const location = locationOf(await tus.create(video.length, 'besar.mp4'))
      const sentBetween = async (from: number, to: number): Promise<number> => {
        const begunAt = performance.now()
        for (let at = from; at < to; at += MB)
          expect((await tus.patch(location, at, video.subarray(at, Math.min(to, at + MB)))).status).toBe(204)
        return performance.now() - begunAt
      }
      const first = await sentBetween(0, 14 * MB)
      const then = await sentBetween(14 * MB, video.length)
      // Without what the pieces earn, the rest would wait for most of a minute.
      expect(then).toBeLessThan(2 * first + 5_000)
      await hasArrivedAsSent(location)
    },
    300_000,
  )

  it('does not have them moved where nothing comes, and only so fast where next to nothing does', async () => {
    const { tus } = await uploader()
    const location = locationOf(await tus.create(video.length, 'besar.mp4'))
    let offset = 5 * MB - 1_000
    await tus.patch(location, 0, video.subarray(0, offset))
    const [before, begunAt] = [line.movedBytes(), performance.now()]
    for (let sent = 0; sent < 10; sent++) await tus.patch(location, offset, Buffer.alloc(0))
    const forNothing = line.movedBytes() - before
    for (; performance.now() - begunAt < 12_000; offset++)
      expect((await tus.patch(location, offset, video.subarray(offset, offset + 1))).status).toBe(204)
    const seconds = (performance.now() - begunAt) / 1000
    const moved = line.movedBytes() - before - forNothing
    // What one may have at once, what the time brings, and some for what is only asked.
    const most = Math.round((64_000_000 + seconds * 2_000_000 + 15_000_000) / MB)
    expect({ forNothing, moved: Math.round(moved / MB) }).toSatisfy(
      () => forNothing < MB && moved < most * MB,
      `less than 1 MB for nothing, and less than ${most} MB in ${Math.round(seconds)} s`,
    )
    expect(await offsetOf(tus, location)).toBe(offset)
  }, 300_000)
})

it('[SAFE-07] an upload that has come before the store turns out to be away ends, and not the program', async () => {
  const { tus } = await uploader()
  const location = locationOf(await tus.create(6 * MB))
  // The first one asks how far it is, those after it what its next part is.
  let lists = 0
  const again = { test: (sent: string) => /^GET \S*uploadId=/.test(sent) && ++lists > 1 }
  const cut = await line.cutting(again, async () =>
    expect((await tus.patch(location, 0, Buffer.alloc(1_000))).status).toBe(500),
  )
  expect(cut).toBeGreaterThan(0)
  expect((await tus.patch(location, 0, Buffer.alloc(1_000))).status).toBe(204)
}, 30_000)

it('[SAFE-07] uploads that one account lets come slowly keep nobody from sending', async () => {
  const slow = await uploader()
  const held = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const location = locationOf(await slow.tus.create(20 * MB))
      const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'x-api-key': slow.apiKey }
      const type = { 'content-type': 'application/offset+octet-stream', 'content-length': 20 * MB }
      const sent = request(new URL(location, program.url), { method: 'PATCH', headers: { ...headers, ...type } })
      sent.on('error', () => {}).write(Buffer.alloc(2_000))
      return sent
    }),
  )
  const { tus } = await uploader()
  const location = locationOf(await tus.create(video.length, 'lain.mp4'))
  expect((await tus.patch(location, 0, video.subarray(0, MB))).status).toBe(204)
  for (const sent of held) sent.destroy()
}, 300_000)
