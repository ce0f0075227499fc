import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { ERRORS, type Upload } from '@tus/server'
import { DomainError, isDiskFull } from '../../errors.ts'
import { openMeteredFile } from './metered-file.ts'
import type { Reservation } from './room.ts'

interface TusStoreDeps {
  directory: string
  expirationPeriodInMilliseconds: number
  reserve: (upload: Upload) => Promise<Reservation>
  release: (uploadId: string) => Promise<void>
}

/** tus's files, with room reserved for them. */
export class TusStore extends FileStore {
  readonly #deps: TusStoreDeps

  constructor(deps: TusStoreDeps) {
    super(deps)
    this.#deps = deps
  }

  override async write(body: Readable, uploadId: string, offset: number): Promise<number> {
    const upload = await this.getUpload(uploadId)
    let reservation: Reservation | undefined
    try {
      reservation = await this.#deps.reserve(upload)
      const file = openMeteredFile(join(this.directory, uploadId), reservation, { flags: 'r+', start: offset })
      await pipeline(body, file)
      return offset + file.bytesWritten
    } catch (error) {
      // What has come stays, counted, until its day is over: its sender goes on once there is room again.
      throw error instanceof DomainError || isDiskFull(error) ? error : ERRORS.FILE_WRITE_ERROR
    } finally {
      reservation?.rest()
    }
  }

  override async remove(uploadId: string): Promise<void> {
    await super.remove(uploadId)
    await this.#deps.release(uploadId)
  }
}
