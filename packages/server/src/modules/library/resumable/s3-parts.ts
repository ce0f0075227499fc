import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import type { Part } from '@aws-sdk/client-s3'
import { S3Store } from '@tus/s3-store'
import { isAbsent } from '../../../platform/storage/s3-client.ts'

/** Says of a rest which part it begins; one that an earlier version stored does not. */
const BEGINS_PART = 'begins-part'

export interface StoreRequest {
  readonly body: Readable
  /** What tus stores of the body. With an error: its sender is refused. */
  source?: Readable
  /** The parts that were listed last. */
  listed?: ListedParts
  /** What of the upload lies apart, too small for a part. */
  restBytes?: number
  /** Whether that says which part it begins. */
  isMarked?: boolean
}

interface ListedParts {
  readonly following: Part[]
  readonly behindGap: Part[]
}

/** An earlier version may have left a gap. An empty part is one that lay behind it. */
function splitAtGap(parts: Part[]): ListedParts {
  const gap = parts.findIndex(({ PartNumber, Size }, index) => PartNumber !== index + 1 || Size === 0)
  const count = gap === -1 ? parts.length : gap
  return { following: parts.slice(0, count), behindGap: parts.slice(count) }
}

/** What tus asks for a place, as its own semaphore does: one has it at a time. Where a part failed, the next one would leave its file behind. */
function onePlace(isOver: () => boolean) {
  let last = Promise.resolve()
  return {
    async acquire() {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      if (isOver()) throw new Error('a part before this one failed')
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
    const [{ file }, stream, firstPart] = sent
    const { source } = this.request.getStore() ?? {}
    if (source?.errored) {
      // It broke off while the rest was fetched: tus would wait for it for ever. The copy of the rest goes with its reader.
      stream.on('error', () => {}).destroy(source.errored)
      throw source.errored
    }
    let nextPart = firstPart
    let hasNewRest = false
    let hasFailed = false
    const noteFault = (error: unknown): never => {
      hasFailed = true
      throw error
    }
    const uploadPart = async (...of: Parameters<S3Store['uploadPart']>): Promise<string> => {
      const tag = await this.uploadPart(...of).catch(noteFault)
      nextPart++
      return tag
    }
    const uploadIncompletePart = async (id: string, rest: Readable): Promise<string> => {
      hasNewRest = true
      return this.#putRest(id, rest, nextPart)
    }
    const ofRequest = Object.create(this, {
      partUploadSemaphore: { value: onePlace(() => hasFailed || Boolean(source?.errored)) },
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

  /**
   * Undefined: there is none, a part has it already and only its deletion failed, or an earlier version stored it behind parts that are missing.
   */
  protected override async getIncompletePartSize(id: string): Promise<number | undefined> {
    const where = { Bucket: this.bucket, Key: this.partKey(id, true) }
    const found = await this.client.headObject(where).catch((error) => {
      if (!isAbsent(error)) throw error
    })
    const begins = found?.Metadata?.[BEGINS_PART]
    const size = found && (await this.#isNext(id, begins)) ? found.ContentLength : undefined
    const request = this.request.getStore()
    if (request) Object.assign(request, { restBytes: size ?? 0, isMarked: begins !== undefined })
    return size
  }

  protected override async getIncompletePart(id: string): Promise<Readable | undefined> {
    return (await this.getIncompletePartSize(id)) === undefined ? undefined : super.getIncompletePart(id)
  }

  /** tus lists the parts before it asks for the rest: those of a large upload take several pages. */
  async #isNext(id: string, begins: string | undefined): Promise<boolean> {
    const { following, behindGap } = this.request.getStore()?.listed ?? splitAtGap(await super.retrieveParts(id))
    return begins === undefined ? behindGap.length === 0 : Number(begins) === following.length + 1
  }

  /**
   * Before anything is stored. What lies behind a gap would count again behind a part that is shorter than the one that was missing; a store removes
   * no single part, so those become empty. The rest goes first: without a mark, only the gap tells that it does not belong here.
   */
  protected override async downloadIncompletePart(id: string) {
    const behindGap = this.request.getStore()?.listed?.behindGap ?? []
    const full = behindGap.filter(({ Size }) => Size !== 0)
    if (full.length > 0) {
      if ((await this.getIncompletePartSize(id)) === undefined) await super.deleteIncompletePart(id)
      const metadata = await this.getMetadata(id)
      for (const { PartNumber = 0 } of full) await this.uploadPart(metadata, Buffer.alloc(0), PartNumber)
    }
    return super.downloadIncompletePart(id)
  }

  protected override async retrieveParts(...of: Parameters<S3Store['retrieveParts']>) {
    const parts = await super.retrieveParts(...of)
    const [, isFurtherPage] = of
    if (isFurtherPage) return parts
    const listed = splitAtGap(parts)
    const request = this.request.getStore()
    if (request) request.listed = listed
    return listed.following
  }
}
