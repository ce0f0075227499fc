import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import type { Secret } from '@siarin/media/secret'
import { StoreAwayError } from '../../errors.ts'

export interface S3Settings {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret
  /** Before every key: empty, or with a '/' at its end. */
  readonly prefix: string
}

/** Where our objects lie. */
export interface S3Place {
  readonly client: S3Client
  readonly bucket: string
  readonly prefix: string
}

/** What many compatible stores lack is not asked of them: checksums behind a stream (`aws-chunked`), and buckets as names of hosts. */
export const s3ClientConfig = (settings: S3Settings): S3ClientConfig => ({
  endpoint: settings.endpoint,
  region: settings.region,
  forcePathStyle: true,
  credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey.reveal() },
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 5_000,
    // A store that has begun an answer and says nothing more.
    socketTimeout: 30_000,
    // Viewers who pause hold theirs: the others must not wait for them.
    httpAgent: { keepAlive: true, maxSockets: 1_024 },
    httpsAgent: { keepAlive: true, maxSockets: 1_024 },
  },
})

export const placeOf = (settings: S3Settings): S3Place => ({
  client: new S3Client(s3ClientConfig(settings)),
  bucket: settings.bucket,
  prefix: settings.prefix,
})

/** A question and its answer, with all tries; a store that is slower than that is away. */
export const ANSWER_MS = 20_000

/** Until `ask` has answered: what it answers may be read for as long as it takes. */
export async function within<T>(ms: number, ask: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), ms)
  try {
    return await ask(abort.signal)
  } catch (error) {
    throw isRefused(error) ? error : new StoreAwayError(error)
  } finally {
    clearTimeout(timer)
  }
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode

export const isAbsent = (error: unknown): boolean => statusOf(error) === 404

/** It said no, and would say so again. Whatever else went wrong may go better the next time. */
export function isRefused(error: unknown): boolean {
  const status = statusOf(error) ?? 0
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status)
}

/** For who reads: a store that says no to what it has given before, such as after a change of its keys, has not lost the file. */
export const asAway = (error: unknown): unknown => (error instanceof StoreAwayError ? error : new StoreAwayError(error))

const TRIES = 5
const FIRST_WAIT_MS = 500

/** For what the client cannot send again by itself, since it reads it from a file. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (tried === TRIES || isRefused(error)) throw error
      await sleep(FIRST_WAIT_MS * 2 ** (tried - 1))
    }
  }
}

/** Some at once; after a fault nothing more is begun, and it is thrown once all that was under way has ended. */
export async function eachAtOnce<T>(
  atOnce: number,
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const under = new Set<Promise<void>>()
  const faults: unknown[] = []
  for await (const item of items) {
    if (faults.length > 0) break
    const done = work(item)
      .catch((error) => void faults.push(error))
      .finally(() => under.delete(done))
    under.add(done)
    if (under.size >= atOnce) await Promise.race(under)
  }
  await Promise.all(under)
  if (faults.length > 0) throw faults[0]
}
