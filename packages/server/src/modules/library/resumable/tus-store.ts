import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'
import { ERRORS } from '@tus/utils'
import { DomainError, isDiskFull } from '../../../errors.ts'
import { openMeteredFile } from '../metered-file.ts'
import type { Reservation } from '../reserve-room.ts'
import { pour } from './request-body.ts'

interface TusStoreDeps {
  directory: string
  expirationPeriodInMilliseconds: number
  reserve: (upload: Upload) => Promise<Reservation>
  release: (uploadId: string) => Promise<void>
  /** Whether it is complete and waits for us: its sender has nothing left to send. */
  isWaiting: (uploadId: string) => boolean
}

/** tus's files, with room reserved for them. Their time ends so long after their last byte, not after their beginning. */
export class TusStore extends FileStore {
  readonly #deps: TusStoreDeps
  readonly #body = new AsyncLocalStorage<Readable>()

  constructor(deps: TusStoreDeps) {
    super(deps)
    this.#deps = deps
  }

  /** tus reckons with the moment of creation, which a slow line is past before it is through. */
  override async getUpload(uploadId: string): Promise<Upload> {
    const upload = await super.getUpload(uploadId)
    const file = await this.fileOf(uploadId)
    if (!file) throw ERRORS.FILE_NO_LONGER_EXISTS
    upload.creation_date = file.mtime.toISOString()
    return upload
  }

  /** Null: it was cancelled, or went with its owner's account. */
  async fileOf(uploadId: string): Promise<Stats | null> {
    return stat(join(this.directory, uploadId)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
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

  /** What is written within `work` comes from this body. */
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
      throw (await this.fileOf(uploadId)) ? ERRORS.FILE_WRITE_ERROR : ERRORS.FILE_NO_LONGER_EXISTS
    } finally {
      reservation?.rest()
    }
  }

  override async remove(uploadId: string): Promise<void> {
    await super.remove(uploadId)
    await this.#deps.release(uploadId)
  }
}
