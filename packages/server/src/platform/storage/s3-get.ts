import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import type { FileFacts } from './judge-read.ts'
import { ANSWER_MS, eachAtOnce, isRefused, type S3Place, within, withRetries } from './s3-client.ts'
import { type FilePart, partsOf } from './s3-parts.ts'

interface Wanted {
  readonly start: number
  readonly end: number
  readonly etag: string
}

/** Its first bytes are on their way once this answers. */
async function getPart({ client, bucket }: S3Place, name: string, { start, end, etag }: Wanted): Promise<Readable> {
  const asked = { Bucket: bucket, Key: name, Range: `bytes=${start}-${end}`, IfMatch: etag }
  const { Body } = await within(ANSWER_MS, (abortSignal) => client.send(new GetObjectCommand(asked), { abortSignal }))
  return Body as Readable
}

const MOST_FAULTS = 4
const FIRST_WAIT_MS = 250

/**
 * The bytes from `start` to `end`. A reader who pauses for minutes costs us the connection, and a store that is away for a moment breaks it:
 * then the reading goes on where it was.
 */
export async function openBody(place: S3Place, name: string, wanted: Wanted): Promise<Readable> {
  const { end, etag } = wanted
  let current = await getPart(place, name, wanted)
  async function* bytes(): AsyncGenerator<Buffer> {
    let at = wanted.start
    let faults = 0
    while (at <= end) {
      try {
        for await (const chunk of current) {
          at += chunk.length
          faults = 0
          yield chunk
        }
        if (at <= end) throw new Error('the store broke off')
      } catch (error) {
        if (body.destroyed || isRefused(error) || ++faults > MOST_FAULTS) throw error
        await sleep(FIRST_WAIT_MS * 2 ** faults)
        current = await getPart(place, name, { start: at, end, etag }).catch((fault) => failing(fault))
      }
    }
  }
  const body = Readable.from(bytes(), { objectMode: false, highWaterMark: 1024 ** 2 })
  body.once('close', () => current.destroy())
  return body
}

/** So that a fault of asking counts like one of reading. */
const failing = (error: unknown): Readable =>
  new Readable({
    read() {
      this.destroy(error as Error)
    },
  })

const PARTS_AT_ONCE = 4

/** What arrived is not what the store says that it has. */
export class WrongBytesError extends Error {}

/** Fetches an object into a file that is there afterwards whole, or throws. Answers the tag that the store should have for these bytes. */
export async function fetchFile(place: S3Place, name: string, file: string, facts: FileFacts): Promise<string> {
  const parts = partsOf(facts.bytes)
  const digests: Buffer[] = []
  const handle = await open(file, 'w', 0o600)

  async function fetchPart({ number, start, end }: FilePart): Promise<void> {
    const digest = createHash('md5')
    let at = start
    for await (const chunk of await getPart(place, name, { start, end, etag: facts.etag })) {
      await handle.write(chunk, 0, chunk.length, at)
      digest.update(chunk)
      at += chunk.length
    }
    if (at !== end + 1) throw new WrongBytesError('the store broke off')
    digests[number - 1] = digest.digest()
  }

  try {
    if (facts.bytes > 0) await eachAtOnce(PARTS_AT_ONCE, parts, (part) => withRetries(() => fetchPart(part)))
    if ((await handle.stat()).size !== facts.bytes) throw new WrongBytesError('not as long as the store says')
  } finally {
    await handle.close()
  }
  const [only] = digests
  if (digests.length <= 1) return `"${only?.toString('hex') ?? createHash('md5').digest('hex')}"`
  return `"${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}"`
}
