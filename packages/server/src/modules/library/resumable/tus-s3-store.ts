import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeleteObjectCommand, HeadObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import type { MetadataValue, S3Store } from '@tus/s3-store'
import type { Upload } from '@tus/server'
import { ERRORS } from '@tus/utils'
import { DomainError, isDiskFull } from '../../../errors.ts'
import type { FileFacts } from '../../../platform/storage/judge-read.ts'
import { headObject } from '../../../platform/storage/s3.ts'
import {
  isAbsent,
  placeOf,
  type S3Place,
  type S3Settings,
  s3ClientConfig,
} from '../../../platform/storage/s3-client.ts'
import { abortUpload } from '../../../platform/storage/s3-uploads.ts'
import type { Reservation } from '../reserve-room.ts'
import { createPartFiles } from './part-files.ts'
import { pour } from './request-body.ts'
import { createRestPace, MOVED_FOR_EACH } from './rest-pace.ts'
import { S3Parts, type StoreRequest } from './s3-parts.ts'
import { isUploadId, splitUploadId } from './upload-ids.ts'
import type { Arrived, UploadStore, UploadStoreDeps } from './upload-store.ts'

/** Records, and pieces that are too small for the store, lie here: no video has such a key. */
const ASIDE = 'up/'
const RECORD = '.info'
/** Ends the name of the part that is too small to be sent as one. */
const REST = '.part'
/** A part lies on this disk until it is sent, one of each request at a time. */
const PART_BYTES = 8 * 1024 ** 2
const BUFFER_BYTES = 1024 ** 2
const MOST_REMEMBERED = 1_000

/** A complete upload lies where the original of its video is looked for: nothing has to be copied. */
function keyOf(uploadId: string): string {
  const { userId, videoId } = splitUploadId(uploadId)
  return `${userId}/${videoId}/original`
}

/** tus names objects by the upload's id; they are to lie beside our others. */
const placed = (prefix: string, name: string): string =>
  isUploadId(name) ? `${prefix}${keyOf(name)}` : `${prefix}${ASIDE}${name}`

/** What a record says never changes. Whether its upload is still there is asked of the store each time. */
function rememberedRecords(): NonNullable<ConstructorParameters<typeof S3Store>[0]['cache']> {
  const records = new Map<string, MetadataValue>()
  const cache = {
    get: async (id: string) => records.get(id),
    async set(id: string, record: MetadataValue) {
      records.set(id, record)
      if (records.size > MOST_REMEMBERED) records.delete(records.keys().next().value ?? '')
    },
    delete: async (id: string) => void records.delete(id),
  }
  return cache
}

/** Uploads in the store, with room reserved for them: whichever machine gets the next piece goes on. */
export class TusS3Store extends S3Parts implements UploadStore {
  readonly #deps: UploadStoreDeps
  readonly #place: S3Place
  readonly #parts: ReturnType<typeof createPartFiles>
  readonly #restPace = createRestPace()

  constructor(settings: S3Settings, deps: UploadStoreDeps) {
    super({
      s3ClientConfig: { ...s3ClientConfig(settings), bucket: settings.bucket },
      partSize: PART_BYTES,
      // Few stores know tags. What is too old is ours to find.
      useTags: false,
      expirationPeriodInMilliseconds: deps.expirationPeriodInMilliseconds,
      cache: rememberedRecords(),
    })
    this.#deps = deps
    this.#place = placeOf(settings)
    this.#parts = createPartFiles(deps.directory)
    this.client.middlewareStack.add(
      (next) => (call) => {
        const { Key } = call.input as { Key?: string }
        const input = Key === undefined ? call.input : { ...call.input, Key: placed(settings.prefix, Key) }
        return next({ ...call, input })
      },
      { step: 'initialize', name: 'place-uploads' },
    )
  }

  arrivedOf(uploadId: string): Arrived {
    return { key: keyOf(uploadId) }
  }

  /** Its day begins anew with each piece; so long room is reserved for it. */
  override async getUpload(uploadId: string): Promise<Upload> {
    const upload = await super.getUpload(uploadId)
    if (upload.offset === upload.size) {
      // tus takes an upload without parts for a complete one: it may have been cancelled.
      const whole = (await headObject(this.#place, keyOf(uploadId))) ?? (await this.#joinParts(uploadId))
      if (!whole && upload.size !== 0) throw ERRORS.FILE_NO_LONGER_EXISTS
      upload.creation_date = (whole?.modifiedAt ?? new Date()).toISOString()
    } else if (await this.#deps.isHeld(uploadId)) upload.creation_date = new Date().toISOString()
    return upload
  }

  async isThere(uploadId: string): Promise<boolean> {
    const found = await Promise.all(
      [keyOf(uploadId), `${ASIDE}${uploadId}${RECORD}`].map((key) => headObject(this.#place, key)),
    )
    return found.some((facts) => facts !== null)
  }

  async completeOf(uploadId: string): Promise<Upload | null> {
    const whole = await headObject(this.#place, keyOf(uploadId))
    if (!whole && !(await this.#joinParts(uploadId).catch(() => null))) return null
    const upload = await this.getUpload(uploadId).catch(() => null)
    return upload?.offset === upload?.size ? upload : null
  }

  /** All parts may be here without being joined: a crash came in between, or the store was away. Null: some are missing, or it was cancelled. */
  async #joinParts(uploadId: string): Promise<FileFacts | null> {
    const metadata = await this.getMetadata(uploadId)
    const parts = await this.retrieveParts(uploadId).catch((error) => {
      if (isAbsent(error)) return []
      throw error
    })
    const bytes = parts.reduce((sum, { Size = 0 }) => sum + Size, 0)
    if (bytes === 0 || bytes !== metadata.file.size) return null
    await this.finishMultipartUpload(metadata, parts).catch((error) => {
      // Somebody else was quicker.
      if (!isAbsent(error)) throw error
    })
    return headObject(this.#place, keyOf(uploadId))
  }

  async #records(ofUser = ''): Promise<{ id: string; madeAt: number }[]> {
    const { client, bucket, prefix } = this.#place
    const found: { id: string; madeAt: number }[] = []
    const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${ASIDE}${ofUser}` })
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', LastModified } of Contents) {
        const id = Key.slice(prefix.length + ASIDE.length, -RECORD.length)
        if (Key.endsWith(RECORD) && isUploadId(id)) found.push({ id, madeAt: LastModified?.getTime() ?? Date.now() })
      }
    }
    return found
  }

  async ids(): Promise<string[]> {
    return (await this.#records()).map(({ id }) => id)
  }

  /** Another machine may be at what is complete: a poll finds it (see finished-uploads). */
  async leftComplete(): Promise<string[]> {
    await this.#parts.clearLeft()
    return []
  }

  /** Waits for nothing before it listens to what it is given: that may break off at any moment. */
  protected override uploadParts(...sent: Parameters<S3Parts['uploadParts']>): Promise<number> {
    return this.#parts.asTemporary(() => super.uploadParts(...sent))
  }

  protected override async uniqueTmpFileName(beginning: string): Promise<string> {
    return this.#parts.fileOf(`${beginning}${randomUUID()}`)
  }

  override async deleteExpired(): Promise<number> {
    const goneBy = Date.now() - this.getExpiration()
    let gone = 0
    for (const { id, madeAt } of await this.#records()) {
      if (madeAt >= goneBy || this.#deps.isWaiting(id) || (await this.#deps.isHeld(id))) continue
      const whole = await headObject(this.#place, keyOf(id))
      if (whole && whole.modifiedAt.getTime() >= goneBy) continue
      await this.remove(id)
      gone += 1
    }
    return gone
  }

  withBody<T>(body: Readable, work: () => Promise<T>): Promise<T> {
    return this.request.run({ body }, work)
  }

  /** `until` has no bytes: it ends when the request's body does, or when tus wants the writing to end. */
  override async write(until: Readable, uploadId: string, offset: number): Promise<number> {
    const request = this.request.getStore()
    if (!request) throw new Error('nobody has said which body is to be written')
    const { file: upload } = await this.getMetadata(uploadId)
    const pipe = new PassThrough({ highWaterMark: BUFFER_BYTES })
    // It may break when nothing is poured into it any more and the store has not begun to read it.
    pipe.on('error', () => {})
    request.source = pipe
    let reservation: Reservation | undefined
    try {
      reservation = await this.#deps.reserve(upload)
      await reservation.admit(offset)
      await this.#parts.make()
      const written = this.#worthMoving(request, upload, pipe).then((isWorth) =>
        isWorth || offset === upload.size ? super.write(pipe, uploadId, offset) : offset,
      )
      written.catch((error) => pipe.destroy(error))
      const most = (upload.size ?? 0) - offset
      const [poured, sent] = await Promise.allSettled([pour(request.body, pipe, { most, until }), written])
      if (poured.status === 'rejected') throw poured.reason
      if (sent.status === 'rejected') throw sent.reason
      this.#restPace(splitUploadId(uploadId).userId, MOVED_FOR_EACH * (offset - sent.value))
      return sent.value
    } catch (error) {
      const isTold = error instanceof DomainError || isDiskFull(error) || error === ERRORS.ERR_MAX_SIZE_EXCEEDED
      if (isTold) throw error
      // A poll may have joined its parts at this moment, and the answer of the store to us may have been lost.
      const whole = await headObject(this.#place, keyOf(uploadId))
      if (whole && whole.bytes === upload.size) return upload.size
      throw (await this.isThere(uploadId)) ? ERRORS.FILE_WRITE_ERROR : ERRORS.FILE_NO_LONGER_EXISTS
    } finally {
      reservation?.rest()
    }
  }

  /**
   * Each request has the rest moved twice, from the store and back: not before there is something to go with it, and only so fast for one owner.
   * What comes waits in the pipe, so that a line that breaks meanwhile has brought something.
   */
  async #worthMoving({ restBytes = 0 }: StoreRequest, { id }: Upload, pipe: PassThrough): Promise<boolean> {
    if (restBytes === 0) return true
    await Promise.race([once(pipe, 'readable'), once(pipe, 'close')])
    if (pipe.readableLength === 0) return false
    await sleep(this.#restPace(splitUploadId(id).userId, 2 * restBytes))
    return !pipe.destroyed
  }

  /** Cancelled, or too old. */
  override async remove(uploadId: string): Promise<void> {
    if (!(await this.isThere(uploadId))) throw ERRORS.FILE_NOT_FOUND
    await this.forget(uploadId)
    await this.#deps.release(uploadId)
  }

  /** The record goes last: by it the rest is found again after a crash. */
  async forget(uploadId: string): Promise<void> {
    await this.clearCache(uploadId)
    const record = `${ASIDE}${uploadId}${RECORD}`
    const key = keyOf(uploadId)
    const multipart = await this.#multipartOf(record)
    if (multipart) await abortUpload(this.#place, { key, uploadId: multipart })
    if (!(await this.#deps.isVideo(uploadId))) await this.#delete(key)
    await this.#delete(`${ASIDE}${uploadId}${REST}`)
    await this.#delete(record)
  }

  async forgetOf(userId: string): Promise<void> {
    for (const { id } of await this.#records(`${userId}~`)) await this.forget(id)
  }

  /** The name that the store has given to what is being sent; null: there is no such record. */
  async #multipartOf(record: string): Promise<string | null> {
    const { client, bucket, prefix } = this.#place
    try {
      const { Metadata } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: prefix + record }))
      return Metadata?.['upload-id'] ?? null
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }

  async #delete(key: string): Promise<void> {
    const { client, bucket, prefix } = this.#place
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: prefix + key }))
  }
}
