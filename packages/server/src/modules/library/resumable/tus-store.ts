import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stats } from 'node:fs'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'
import { ERRORS } from '@tus/utils'
import { DomainError, isDiskFull } from '../../../errors.ts'
import { openMeteredFile } from '../metered-file.ts'
import type { Reservation } from '../reserve-room.ts'
import { pour } from './request-body.ts'
import { splitUploadId } from './upload-ids.ts'
import type { Arrived, UploadStore, UploadStoreDeps } from './upload-store.ts'

const RECORD = '.json'
const isRecord = (name: string): boolean => name.endsWith(RECORD)

/** tus's files, with room reserved for them. Their time ends so long after their last byte, not after their beginning. */
export class TusStore extends FileStore implements UploadStore {
  readonly #deps: UploadStoreDeps
  readonly #body = new AsyncLocalStorage<Readable>()

  constructor(deps: UploadStoreDeps) {
    super(deps)
    this.#deps = deps
  }

  /** tus reckons with the moment of creation, which a slow line is past before it is through. */
  override async getUpload(uploadId: string): Promise<Upload> {
    const upload = await super.getUpload(uploadId)
    const file = await this.#fileOf(uploadId)
    if (!file) throw ERRORS.FILE_NO_LONGER_EXISTS
    upload.creation_date = file.mtime.toISOString()
    return upload
  }

  arrivedOf(uploadId: string): Arrived {
    return { file: join(this.directory, uploadId) }
  }

  async isThere(uploadId: string): Promise<boolean> {
    return (await this.#fileOf(uploadId)) !== null
  }

  async #fileOf(uploadId: string): Promise<Stats | null> {
    return stat(join(this.directory, uploadId)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  }

  async completeOf(uploadId: string): Promise<Upload | null> {
    const upload = await this.getUpload(uploadId).catch(() => null)
    return upload?.size !== undefined && upload.offset === upload.size ? upload : null
  }

  #names(): Promise<string[]> {
    return readdir(this.directory).catch(() => [])
  }

  async ids(): Promise<string[]> {
    return (await this.#names()).filter((name) => !isRecord(name))
  }

  async leftComplete(forget: (uploadId: string) => Promise<void>): Promise<string[]> {
    const left: string[] = []
    const names = new Set(await this.#names())
    for (const name of names) {
      if (isRecord(name)) {
        // Its file became a video just before a crash.
        const uploadId = name.slice(0, -RECORD.length)
        if (!names.has(uploadId)) await forget(uploadId)
      } else if (await this.completeOf(name)) {
        // However long nobody was here to inspect it: its day begins anew.
        await utimes(join(this.directory, name), new Date(), new Date()).catch(() => {})
        left.push(name)
      }
    }
    return left
  }

  /** Not by tus, which takes a record that is gone already for a fault. */
  async forget(uploadId: string): Promise<void> {
    for (const name of [uploadId, `${uploadId}${RECORD}`]) await rm(join(this.directory, name), { force: true })
  }

  async forgetOf(userId: string): Promise<void> {
    const uploads = (await this.#names()).filter((name) => splitUploadId(name).userId === userId)
    await Promise.all(uploads.map((name) => rm(join(this.directory, name), { force: true })))
  }

  override async deleteExpired(): Promise<number> {
    const goneBy = Date.now() - this.getExpiration()
    let gone = 0
    for (const uploadId of (await this.configstore.list?.()) ?? []) {
      // One without its file, or that goes at this moment, is left to the sweep.
      const upload = await this.getUpload(uploadId).catch(() => null)
      const isOver = upload && Date.parse(upload.creation_date ?? '') < goneBy && !this.#deps.isWaiting(uploadId)
      if (!isOver) continue
      await this.remove(uploadId)
      gone += 1
    }
    return gone
  }

  withBody<T>(body: Readable, work: () => Promise<T>): Promise<T> {
    return this.#body.run(body, work)
  }

  /** `until` has no bytes: it ends when the request's body does, or when tus wants the writing to end. */
  override async write(until: Readable, uploadId: string, offset: number): Promise<number> {
    const body = this.#body.getStore()
    if (!body) throw new Error('nobody has said which body is to be written')
    const upload = await this.getUpload(uploadId)
    let reservation: Reservation | undefined
    try {
      reservation = await this.#deps.reserve(upload)
      const file = openMeteredFile(join(this.directory, uploadId), reservation, { flags: 'r+', start: offset })
      await pour(body, file, { most: (upload.size ?? 0) - offset, until })
      return offset + file.bytesWritten
    } catch (error) {
      // What has come stays, counted, until its day is over: its sender goes on once there is room again.
      const isTold = error instanceof DomainError || isDiskFull(error) || error === ERRORS.ERR_MAX_SIZE_EXCEEDED
      if (isTold) throw error
      throw (await this.isThere(uploadId)) ? ERRORS.FILE_WRITE_ERROR : ERRORS.FILE_NO_LONGER_EXISTS
    } finally {
      reservation?.rest()
    }
  }

  override async remove(uploadId: string): Promise<void> {
    await super.remove(uploadId)
    await this.#deps.release(uploadId)
  }
}
