import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { ANSWER_MS, isAbsent, type S3Place, within } from './s3-client.ts'

interface Unfinished {
  /** Without the prefix. */
  readonly key: string
  readonly uploadId: string
  readonly begunAt: number
}

/** Multipart uploads that were begun and not ended: nobody sees them, and the store keeps their parts for ever. */
async function* unfinishedUploads({ client, bucket, prefix }: S3Place): AsyncGenerator<Unfinished> {
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
  for (;;) {
    const asked = { Bucket: bucket, ...(prefix && { Prefix: prefix }), ...marker }
    const page = await within(ANSWER_MS, (abortSignal) =>
      client.send(new ListMultipartUploadsCommand(asked), { abortSignal }),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || UploadId === undefined || !Key.startsWith(prefix)) continue
      yield { key: Key.slice(prefix.length), uploadId: UploadId, begunAt: Initiated?.getTime() ?? Date.now() }
    }
    if (!page.IsTruncated) return
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}

export async function abortUpload(
  { client, bucket, prefix }: S3Place,
  { key, uploadId }: Pick<Unfinished, 'key' | 'uploadId'>,
): Promise<void> {
  const target = { Bucket: bucket, Key: prefix + key, UploadId: uploadId }
  await within(ANSWER_MS, (abortSignal) => client.send(new AbortMultipartUploadCommand(target), { abortSignal })).catch(
    (error) => {
      if (!isAbsent(error)) throw error
    },
  )
}

/** Those that began before a moment, and of whose key nobody says that it is still being sent. Answers how many. */
export async function abortUnfinished(
  place: S3Place,
  before: number,
  isBeingSent: (key: string) => Promise<boolean>,
): Promise<number> {
  let ended = 0
  for await (const upload of unfinishedUploads(place)) {
    if (upload.begunAt >= before || (await isBeingSent(upload.key))) continue
    await abortUpload(place, upload)
    ended++
  }
  return ended
}
