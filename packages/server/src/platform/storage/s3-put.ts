import { createReadStream, type ReadStream } from 'node:fs'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { ANSWER_MS, eachAtOnce, type S3Place, within, withRetries } from './s3-client.ts'
import { type FilePart, partsOf } from './s3-parts.ts'

const AT_ONCE = 4
/** A line of 1 Mbit/s is still fast enough for a part. */
const PART_MS = 300_000
/** Some stores put the parts of a large file together before they answer. */
const COMPLETE_MS = 600_000

interface SentFile {
  readonly file: string
  readonly bytes: number
}

/** The client hears of no fault of what it sends: it would wait for the rest, and the fault would end the program. */
async function sendBody<T>(body: ReadStream, send: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const unreadable = new AbortController()
  body.on('error', (error) => unreadable.abort(error))
  try {
    return await within(PART_MS, (late) => send(AbortSignal.any([late, unreadable.signal])))
  } catch (error) {
    throw unreadable.signal.reason ?? error
  } finally {
    body.destroy()
  }
}

/** Sends a file; nobody sees the object before it is whole. Its bytes go from the disk to the line: memory holds a few pieces of 64 KiB. */
export async function putFile(place: S3Place, name: string, { file, bytes }: SentFile): Promise<void> {
  const parts = partsOf(bytes)
  if (parts.length > 1) return putParts(place, name, file, parts)
  const target = { Bucket: place.bucket, Key: name, ContentLength: bytes }
  await withRetries(() => {
    const put = (Body: ReadStream | '') => (abortSignal: AbortSignal) =>
      place.client.send(new PutObjectCommand({ ...target, Body }), { abortSignal })
    if (bytes === 0) return within(PART_MS, put(''))
    const body = createReadStream(file)
    return sendBody(body, put(body))
  })
}

async function putParts({ client, bucket }: S3Place, name: string, file: string, parts: readonly FilePart[]) {
  const target = { Bucket: bucket, Key: name }
  const { UploadId } = await within(ANSWER_MS, (abortSignal) =>
    client.send(new CreateMultipartUploadCommand(target), { abortSignal }),
  )
  const upload = { ...target, UploadId }
  const tags: string[] = []

  const sendPart = ({ number, start, end }: FilePart): Promise<void> =>
    withRetries(async () => {
      const Body = createReadStream(file, { start, end })
      const part = { ...upload, PartNumber: number, Body, ContentLength: end - start + 1 }
      const { ETag = '' } = await sendBody(Body, (abortSignal) =>
        client.send(new UploadPartCommand(part), { abortSignal }),
      )
      tags[number - 1] = ETag
    })

  try {
    await eachAtOnce(AT_ONCE, parts, sendPart)
    const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
    await within(COMPLETE_MS, (abortSignal) =>
      client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), { abortSignal }),
    )
  } catch (error) {
    // Where even that fails it is found and ended after its day (see s3-uploads).
    await within(ANSWER_MS, (abortSignal) =>
      client.send(new AbortMultipartUploadCommand(upload), { abortSignal }),
    ).catch(() => {})
    throw error
  }
}
