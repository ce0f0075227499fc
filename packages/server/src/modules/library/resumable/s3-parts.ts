import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import { S3Store } from '@tus/s3-store'
import { isAbsent } from '../../../platform/storage/s3-client.ts'

/** Says of a rest which part it begins; one that an earlier version stored does not. */
const BEGINS_PART = 'begins-part'

export interface StoreRequest {
  readonly body: Readable
  /** How many parts were listed last. */
  parts?: number
  /** What of the upload lies apart, too small for a part. */
  restBytes?: number
  /** Whether that says which part it begins. */
  isMarked?: boolean
}

/** What tus asks for a place, as its own semaphore does: one has it at a time. */
function onePlace() {
  let last = Promise.resolve()
  return {
    async acquire() {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      return { release: async () => resolve() }
    },
  }
}

/** Stores the bytes of a request as parts. What is too small for one is the rest, with which the next request begins. */
export class S3Parts extends S3Store {
  protected readonly request = new AsyncLocalStorage<StoreRequest>()

  /**
   * tus has some places for the parts of all uploads, which a part takes as it begins to come: who lets a few come slowly would have all of them,
   * and one that breaks off while it waits for a place never gives it back. So each request has one of its own. Its parts are sent one after the
   * other: behind one that fails there is none, which would be counted in its stead.
   */
  protected override async uploadParts(...sent: Parameters<S3Store['uploadParts']>): Promise<number> {
    const [{ file }, , firstPart] = sent
    let nextPart = firstPart
    let hasNewRest = false
    const uploadPart = async (...of: Parameters<S3Store['uploadPart']>): Promise<string> => {
      const tag = await this.uploadPart(...of)
      nextPart++
      return tag
    }
    const uploadIncompletePart = async (id: string, rest: Readable): Promise<string> => {
      hasNewRest = true
      return this.#putRest(id, rest, nextPart)
    }
    const ofRequest = Object.create(this, {
      partUploadSemaphore: { value: onePlace() },
      uploadPart: { value: uploadPart },
      uploadIncompletePart: { value: uploadIncompletePart },
    })
    const bytes = await super.uploadParts.apply(ofRequest, sent)
    // A part has it now. One that stays says that it is over, but not to an earlier version.
    if (nextPart > firstPart && !hasNewRest) await super.deleteIncompletePart(file.id).catch(() => {})
    return bytes
  }

  /** In the place of the one before, which it begins with: at every moment one of the two is there. */
  async #putRest(id: string, rest: Readable, part: number): Promise<string> {
    const where = { Bucket: this.bucket, Key: this.partKey(id, true) }
    const { ETag } = await this.client.putObject({ ...where, Body: rest, Metadata: { [BEGINS_PART]: `${part}` } })
    return ETag ?? ''
  }

  /**
   * tus deletes the rest before it stores it again: what comes in between loses what its sender was told that we have. One without a mark has to go
   * all the same, or it would count once more behind the part that has it.
   */
  protected override async deleteIncompletePart(id: string): Promise<void> {
    if (!this.request.getStore()?.isMarked) await super.deleteIncompletePart(id)
  }

  /** Undefined: there is none, or a part has it already and only its deletion failed. */
  protected override async getIncompletePartSize(id: string): Promise<number | undefined> {
    const where = { Bucket: this.bucket, Key: this.partKey(id, true) }
    const found = await this.client.headObject(where).catch((error) => {
      if (!isAbsent(error)) throw error
    })
    const begins = found?.Metadata?.[BEGINS_PART]
    const isOver = begins !== undefined && Number(begins) !== (await this.#partCount(id)) + 1
    const size = isOver ? undefined : found?.ContentLength
    const request = this.request.getStore()
    if (request) Object.assign(request, { restBytes: size ?? 0, isMarked: begins !== undefined })
    return size
  }

  protected override async getIncompletePart(id: string): Promise<Readable | undefined> {
    return (await this.getIncompletePartSize(id)) === undefined ? undefined : super.getIncompletePart(id)
  }

  /** tus lists them before it asks for the rest: those of a large upload take several pages. */
  async #partCount(id: string): Promise<number> {
    return this.request.getStore()?.parts ?? (await this.retrieveParts(id)).length
  }

  /** As far as they follow each other: an earlier version may have left a gap. */
  protected override async retrieveParts(...of: Parameters<S3Store['retrieveParts']>) {
    const parts = await super.retrieveParts(...of)
    const [, isFurtherPage] = of
    if (isFurtherPage) return parts
    const following = parts.filter(({ PartNumber }, index) => PartNumber === index + 1)
    const request = this.request.getStore()
    if (request) request.parts = following.length
    return following
  }
}
