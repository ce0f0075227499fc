import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Upload } from '@tus/server'
import { DomainError } from '../../../errors.ts'
import { InspectionTimedOutError } from '../inspect-video.ts'
import type { Intake } from '../intake.ts'
import type { LibraryRepo } from '../library.repo.ts'
import type { Postponements } from './postponements.ts'
import { splitUploadId } from './upload-ids.ts'
import type { UploadStore } from './upload-store.ts'

interface FinisherDeps {
  repo: Pick<LibraryRepo, 'byId'>
  intake: Pick<Intake, 'accept' | 'hasArrived' | 'settle'>
  store: Pick<UploadStore, 'arrivedOf' | 'isThere'>
  forget: (uploadId: string) => Promise<void>
  postponements: Pick<Postponements, 'waitMs' | 'postpone'>
}

const inspectedLater = (waitMs: number): DomainError =>
  new DomainError('server_full', VIDEO_TEXTS.lookedIntoLater, { retryAfterSeconds: Math.ceil(waitMs / 1000) })

/** Makes videos of complete uploads. */
export function createUploadFinisher(deps: FinisherDeps) {
  const { repo, intake, store, forget, postponements } = deps
  const finishing = new Map<string, Promise<void>>()

  async function becomeVideo(upload: Upload): Promise<void> {
    const { userId, videoId } = splitUploadId(upload.id)
    const arrived = store.arrivedOf(upload.id)
    const filename = upload.metadata?.['filename'] ?? 'video'
    try {
      const video = await repo.byId(videoId)
      if (!video) await intake.accept({ videoId, userId, filename, arrived, reservationId: upload.id })
      // The writer of the row came no further than that.
      else if (!(await intake.hasArrived(video))) await intake.settle(video, arrived)
    } catch (error) {
      await assertIsThere(upload.id, error)
    }
    await forget(upload.id)
  }

  /** After a fault: returns where the video has arrived all the same, since another program on this folder was quicker. */
  async function assertIsThere(uploadId: string, error: unknown): Promise<void> {
    const video = await repo.byId(splitUploadId(uploadId).videoId)
    const isThere = video !== null && (await intake.hasArrived(video))
    if (!video && !(await store.isThere(uploadId))) {
      await forget(uploadId)
      throw new DomainError('not_found', VIDEO_TEXTS.notFound, { cause: error })
    }
    const waitMs = error instanceof InspectionTimedOutError && !video ? postponements.postpone(uploadId) : null
    if (waitMs !== null) throw inspectedLater(waitMs)
    // What was refused would be refused again; anything else may go better when the sender asks once more.
    if (error instanceof DomainError && error.code !== 'server_full' && !video) await forget(uploadId)
    if (!isThere) throw error
  }

  return {
    isFinishing: (uploadId: string): boolean => finishing.has(uploadId),
    /** A sender may repeat its last request while the first one is still being answered: all get the answer of one finishing. */
    finish(upload: Upload): Promise<void> {
      const underWay = finishing.get(upload.id)
      if (underWay) return underWay
      const waitMs = postponements.waitMs(upload.id)
      if (waitMs > 0) return Promise.reject(inspectedLater(waitMs))
      const finished = becomeVideo(upload).finally(() => finishing.delete(upload.id))
      finishing.set(upload.id, finished)
      return finished
    },
  }
}
