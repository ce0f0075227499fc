import { paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { createLocalStorage } from './local.ts'
import { ensureBucket } from './open-s3.ts'
import { eachAtOnce, placeOf, type S3Settings } from './s3-client.ts'
import { putFile } from './s3-put.ts'
import { NotStoredError } from './storage.ts'

interface Copied {
  readonly files: number
  readonly bytes: number
  /** There was nothing to do for these. */
  readonly alreadyThere: number
}

const AT_ONCE = 3

/** Copies what lies in a folder to a store and leaves the folder as it is. What is there with the same length is not sent again. */
export async function copyToS3(
  root: string,
  settings: S3Settings,
  onProgress: (done: Copied, all: { files: number; bytes: number }) => void,
): Promise<Copied> {
  const place = placeOf(settings)
  await ensureBucket(place, settings)
  const local = createLocalStorage(root)
  const there = new Map<string, number>()
  const { client, bucket, prefix } = place
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
    for (const { Key = '', Size = 0 } of Contents) there.set(Key.slice(prefix.length), Size)
  }

  const waiting: { key: string; bytes: number }[] = []
  let alreadyThere = 0
  for await (const key of local.list()) {
    const bytes = (await local.head(key))?.bytes
    if (bytes === undefined) continue
    if (there.get(key) === bytes) alreadyThere++
    else waiting.push({ key, bytes })
  }
  const all = { files: waiting.length, bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0) }
  const done = { files: 0, bytes: 0, alreadyThere }
  await eachAtOnce(AT_ONCE, waiting, async ({ key, bytes }) => {
    try {
      const { path } = await local.pin(key)
      await putFile(place, prefix + key, { file: path, bytes })
    } catch (error) {
      // Somebody has deleted it meanwhile.
      if (!(error instanceof NotStoredError) && (await local.head(key))) throw error
      return
    }
    done.files++
    done.bytes += bytes
    onProgress(done, all)
  })
  return done
}
