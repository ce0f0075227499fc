import { CreateBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { BootError, isDiskFull, StoreAwayError } from '../../errors.ts'
import type { Log } from '../log.ts'
import { readMark, takeFolder } from './cache-folder.ts'
import { CacheFullError } from './cache-full-error.ts'
import { openFileCache } from './file-cache.ts'
import type { FileFacts } from './judge-read.ts'
import { createS3Storage, headObject } from './s3.ts'
import { asAway, isAbsent, isRefused, placeOf, type S3Place, type S3Settings, within } from './s3-client.ts'
import { fetchFile, WrongBytesError } from './s3-get.ts'
import { NotStoredError, type Storage } from './storage.ts'

interface CacheSettings {
  readonly folder: string
  readonly maxBytes: number
  readonly reserveBytes: number
}

interface OpenOptions {
  readonly settings: S3Settings
  readonly cache: CacheSettings
  readonly keepsPut: boolean
  readonly log: Log
}

const FIRST_ANSWER_MS = 15_000

/** Refuses the boot where the store says no. One that is only away is no reason not to play what is here already. */
export async function openS3Storage({ settings, cache, keepsPut, log }: OpenOptions): Promise<Storage> {
  const place = placeOf(settings)
  const mark = `${settings.endpoint} ${settings.bucket} ${settings.prefix}`
  const known = await readMark(cache.folder)
  const { isEmpty } = await ensureBucket(place, settings).catch((error) => {
    if (known !== mark || isRefused(error.cause)) throw error
    log.warn({ err: error.cause }, 'the S3 store does not answer: for now only what lies in the cache can be played')
    return { isEmpty: false }
  })
  // Copies of another store have the same names, and other content. Not before this one has answered: a setting may be mistyped.
  if (known !== mark) await takeFolder(cache.folder, mark)
  const copies = await openFileCache({
    root: cache.folder,
    ...{ maxBytes: cache.maxBytes, reserveBytes: cache.reserveBytes, log },
    head: (key) => headObject(place, key),
    fetch: createFetch(place, log),
  })
  return { ...createS3Storage({ place, cache: copies, keepsPut }), wasEmpty: isEmpty }
}

/** Throws what the operator can read, with its cause. */
export async function ensureBucket(place: S3Place, settings: S3Settings): Promise<{ isEmpty: boolean }> {
  try {
    return { isEmpty: await findOrMakeBucket(place, settings.region) }
  } catch (error) {
    throw Object.assign(new BootError([refusalOf(settings, error)]), { cause: error })
  }
}

/** Whether there is nothing in it. */
async function findOrMakeBucket({ client, bucket, prefix }: S3Place, region: string): Promise<boolean> {
  const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 })
  async function isEmpty(): Promise<boolean> {
    const { Contents = [] } = await within(FIRST_ANSWER_MS, (abortSignal) => client.send(list, { abortSignal }))
    return Contents.length === 0
  }
  try {
    return await isEmpty()
  } catch (error) {
    if ((error as Error).name !== 'NoSuchBucket') throw error
    const where = region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint: region as never } }
    await within(FIRST_ANSWER_MS, (abortSignal) =>
      client.send(new CreateBucketCommand({ Bucket: bucket, ...where }), { abortSignal }),
    ).catch((refusal) => {
      // Another machine that starts at the same moment may have been quicker.
      if (!/^(BucketAlready|OperationAborted)/.test((refusal as Error).name)) throw refusal
    })
    return isEmpty()
  }
}

/** One line for the operator, without the secret: what a store answers may quote what was sent. */
function refusalOf({ endpoint, bucket, secretAccessKey }: S3Settings, error: unknown): string {
  const { name, message, code } = (error instanceof StoreAwayError ? error.cause : error) as NodeJS.ErrnoException
  const said = `${code ?? name}: ${message}`.replaceAll(/\s+/g, ' ').replaceAll(secretAccessKey.reveal(), '[secret]')
  const what = isRefused(error) ? 'refuses us' : 'does not answer'
  return `S3_ENDPOINT ${endpoint} with the bucket ${bucket} ${what} (${said.slice(0, 300)})`
}

/** After so many the tags of this store are no digests: buckets that are encrypted with a key of their own have others. */
const MOST_ODD_TAGS = 3

function createFetch(place: S3Place, log: Log) {
  let oddTags = 0
  return async (key: string, file: string, facts: FileFacts): Promise<void> => {
    const fetchOnce = () => fetchFile(place, place.prefix + key, file, facts).catch((error) => faultOf(key, error))
    const tag = await fetchOnce()
    if (tag === facts.etag || !isComparable(tag, facts.etag) || oddTags >= MOST_ODD_TAGS) return
    const again = await fetchOnce()
    if (again === facts.etag) return
    if (again !== tag) throw new WrongBytesError(`${key} arrives with other bytes each time`)
    oddTags++
    log.debug({ key }, 'the tag of a stored file is no digest of its content')
  }
}

function faultOf(key: string, error: unknown): never {
  if (isAbsent(error)) throw new NotStoredError(key)
  throw isDiskFull(error) ? new CacheFullError() : asAway(error)
}

const DIGEST = /^"[\da-f]{32}(-\d+)?"$/

/** Both of a whole, or both of as many parts: somebody else may have sent it in parts of another size. */
const isComparable = (tag: string, stored: string): boolean =>
  DIGEST.exec(stored)?.[1] === DIGEST.exec(tag)?.[1] && DIGEST.test(stored)
