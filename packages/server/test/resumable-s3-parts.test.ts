import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { makeClip } from '@siarin/testkit/clips'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn, startProgram, type TestProgram, videosOf } from './support/program.ts'
import { locationOf, tusOf } from './support/tus.ts'

const MB = 1024 ** 2

/** Passes all on, but for the first try of the second part, whose connection is cut. */
async function cuttingLine(endpoint: string) {
  const { hostname, port } = new URL(endpoint)
  let hasCut = false
  const server = createServer((caller) => {
    const store = connect(Number(port), hostname)
    const end = () => {
      caller.destroy()
      store.destroy()
    }
    for (const each of [caller, store]) each.on('error', end).on('close', end)
    store.pipe(caller)
    caller.on('data', (data) => {
      if (!hasCut && /^PUT \S*partNumber=2&/.test(data.toString('latin1', 0, 600))) {
        hasCut = true
        // Those that are sent beside it have arrived by then.
        setTimeout(end, 1_000)
      } else if (!caller.destroyed) store.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${own}`, hasCut: () => hasCut, stop: () => server.close() }
}

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
  program = await startProgram({ ...s3.env, S3_ENDPOINT: line.url })
}, 120_000)
afterAll(async () => {
  await program?.close()
  line?.stop()
  await s3?.stop()
  await folder?.remove()
})

async function stored(key: string): Promise<Buffer> {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: Bucket, ...keys } = s3.env
  const credentials = { accessKeyId: keys.S3_ACCESS_KEY_ID, secretAccessKey: keys.S3_SECRET_ACCESS_KEY }
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

const uploader = async () => {
  const { user } = await signIn(program.url)
  return { ...user, tus: tusOf(program.url, user.apiKey) }
}

it('[UPL-04] an upload whose connection to the store is cut in one part goes on from there, and arrives as it was sent', async () => {
  expect(video.length).toBeGreaterThan(26 * MB)
  const { tus, apiKey } = await uploader()
  const location = locationOf(await tus.create(video.length, 'besar.mp4'))
  const broken = await tus.patch(location, 0, video).catch(() => null)
  expect([broken?.status, line.hasCut()]).not.toContain(204)
  const offset = Number((await tus.head(location)).headers.get('upload-offset'))
  // One part of 8 MB has arrived, and nothing behind the one that was cut.
  expect([line.hasCut(), offset]).toEqual([true, 8 * MB])
  expect((await tus.patch(location, offset, video.subarray(offset))).status).toBe(204)
  expect(await videosOf(program.url, apiKey)).toHaveLength(1)
  const [row] = await program.db.selectFrom('videos').select(['original_key', 'original_bytes']).execute()
  expect(row?.original_bytes).toBe(video.length)
  expect((await stored(row?.original_key ?? '')).equals(video)).toBe(true)
}, 120_000)

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
}, 60_000)
