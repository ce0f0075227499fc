import { mkdir, rm } from 'node:fs/promises'
import { DomainError } from '../../../errors.ts'
import type { JobOutcome } from '../../../platform/queue/queue.ts'
import { type Storage, storedFile, withPinned } from '../../../platform/storage/storage.ts'
import type { Lane } from '../lanes.ts'
import { reasonOf } from '../video-refused.ts'
import { folderOf, type VideoRow } from '../video-row.ts'
import type { PermitFor } from '../work-permit.ts'
import { failedColumns } from './failed-preparation.ts'
import { createOriginalPreparation, type PrepareOriginalDeps } from './prepare-original.ts'

export interface PrepareOneDeps extends PrepareOriginalDeps {
  storage: Storage
  permitFor: PermitFor
}

type PrepareOne = (video: VideoRow, originalKey: string, signal: AbortSignal) => Promise<JobOutcome | 'needs-long'>

/** One preparation from its work folder to its end, however it ends: nothing half-done stays. */
export function createPrepareOne(deps: PrepareOneDeps, lane: Lane): PrepareOne {
  const { repo, storage, masters, log, workOf, permitFor } = deps
  const prepareOriginal = createOriginalPreparation(deps, lane)

  /** Throws what is to be tried again. */
  async function giveUp(video: VideoRow, error: unknown): Promise<void> {
    if (error instanceof DomainError) {
      await repo.update(video.id, failedColumns(video, reasonOf(error)))
    } else if (video.master === null) {
      throw error
    } else {
      log.error({ err: error, videoId: video.id }, 'a video could not be prepared again')
      await repo.update(video.id, failedColumns(video, { code: 'prepare-failed' }))
    }
  }

  return async (video, originalKey, signal) => {
    const permit = permitFor(video)
    try {
      await mkdir(workOf(video), { recursive: true, mode: 0o700 })
      return await withPinned(storedFile(storage, originalKey), (path) =>
        prepareOriginal(video, { key: originalKey, path }, AbortSignal.any([signal, permit.signal])),
      )
    } catch (error) {
      if (signal.aborted) return 'again'
      // It begins anew should its owner be reinstated; what was deleted has no row to change.
      if (permit.signal.aborted) await repo.update(video.id, { progress: null, seconds_left: null })
      else await giveUp(video, error)
      return 'done'
    } finally {
      permit.release()
      await rm(workOf(video), { recursive: true, force: true })
      // Deleted meanwhile, perhaps on another machine: what was made in its name goes too, however this ended.
      if (!(await repo.byId(video.id))) await storage.remove(folderOf(video))
      else await masters.clearOf(video.id)
    }
  }
}
