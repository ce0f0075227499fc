import { randomInt } from 'node:crypto'
import { link, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { Secret } from '@siarin/media/secret'
import { openS3Storage } from '../../packages/server/src/platform/storage/open-s3.ts'
import { eachAtOnce, placeOf } from '../../packages/server/src/platform/storage/s3-client.ts'

/** Sends a file to the S3 store that the environment names, reads it whole and in parts, and tells how long each took and what memory grew. */
const [who = '', file = '', folder = '', key = ''] = process.argv.slice(2)
const MIB = 1024 ** 2
const PART_BYTES = 16 * MIB
const RANGES = 300
const RANGE_BYTES = 256 * 1024
const AT_ONCE = 4

const SILENT = { debug() {}, warn() {} } as unknown as Parameters<typeof openS3Storage>[0]['log']

interface Store {
  put(from: string): Promise<void>
  read(range?: string): Promise<Readable>
}

const env = (name: string): string => process.env[name] ?? ''
const settings = {
  ...{ endpoint: env('S3_ENDPOINT'), region: env('S3_REGION'), bucket: env('S3_BUCKET'), prefix: '' },
  ...{ accessKeyId: env('S3_ACCESS_KEY_ID'), secretAccessKey: new Secret(env('S3_SECRET_ACCESS_KEY')) },
}

async function ours(): Promise<Store> {
  const cache = { folder: join(folder, 'cache'), maxBytes: 0, reserveBytes: 0 }
  const storage = await openS3Storage({ settings, cache, keepsPut: false, log: SILENT })
  return {
    put: (from) => storage.put(key, from),
    async read(range) {
      const found = await storage.open(key, { range })
      if (!found?.body) throw new Error('nothing is there')
      return found.body
    },
  }
}

/** As anybody would write it: parts of the same size, as many at once. */
async function bare(): Promise<Store> {
  const { client, bucket: Bucket } = placeOf(settings)
  const target = { Bucket, Key: key }
  return {
    async put(from) {
      const handle = await open(from)
      const { size } = await handle.stat()
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
      const numbers = Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, index) => index + 1)
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      await eachAtOnce(AT_ONCE, numbers, async (PartNumber) => {
        const at = (PartNumber - 1) * PART_BYTES
        const Body = Buffer.allocUnsafe(Math.min(PART_BYTES, size - at))
        await handle.read(Body, 0, Body.length, at)
        const { ETag } = await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber, Body }))
        Parts[PartNumber - 1] = { PartNumber, ETag }
      })
      await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }))
      await handle.close()
    },
    read: async (Range) => (await client.send(new GetObjectCommand({ ...target, Range }))).Body as Readable,
  }
}

async function drain(body: Readable): Promise<number> {
  let bytes = 0
  for await (const chunk of body) bytes += chunk.length
  return bytes
}

let growth = 0
async function seconds(work: () => Promise<void>): Promise<number> {
  const [before, startedAt] = [process.memoryUsage.rss(), performance.now()]
  const watch = setInterval(() => {
    growth = Math.max(growth, process.memoryUsage.rss() - before)
  }, 20)
  await work()
  clearInterval(watch)
  return (performance.now() - startedAt) / 1000
}

const store = await (who === 'ours' ? ours() : bare())
const { size } = await stat(file)
const source = join(folder, `${key}-source`)
await link(file, source)
const put = await seconds(() => store.put(source))
const whole = await seconds(async () => {
  if ((await drain(await store.read())) !== size) throw new Error('not all of it came')
})
const places = Array.from({ length: RANGES }, () => randomInt(size - RANGE_BYTES))
const ranges = await seconds(() =>
  eachAtOnce(AT_ONCE, places, async (at) => {
    if ((await drain(await store.read(`bytes=${at}-${at + RANGE_BYTES - 1}`))) !== RANGE_BYTES)
      throw new Error('cut off')
  }),
)
const mib = size / MIB
console.log(JSON.stringify({ put: mib / put, whole: mib / whole, ranges: RANGES / ranges, growth: growth / 1e6 }))
process.exit()
