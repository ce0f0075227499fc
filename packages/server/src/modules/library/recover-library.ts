import { readdir, rm, stat } from 'node:fs/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Intake } from './intake.ts'
import { jobOf, laneOf } from './lanes.ts'
import type { LibraryRepo } from './library.repo.ts'
import { failedColumns } from './preparation/failed-preparation.ts'
import type { RenditionOrdersRepo } from './rendition-orders.repo.ts'
import { folderOf, type VideoRow } from './video-row.ts'

interface RecoveryDeps {
  orders: Pick<RenditionOrdersRepo, 'openOwners'>
  repo: Pick<LibraryRepo, 'byId' | 'remove' | 'unfinished' | 'update'>
  storage: Pick<Storage, 'head' | 'remove'>
  queue: Pick<Queue, 'add'>
  clock: Clock
  log: Log
  intake: Pick<Intake, 'arrivalOf' | 'directoryOf' | 'settle'>
  uploadDir: string
  /** No other machine sees it. */
  hasOwnFolder: boolean
  /** Takes a video out of every broadcast that has ended, in small batches. */
  leaveEnded: (videoId: string) => Promise<void>
}

const LATER = 'an arrived video could not be taken up, the next start tries again'

/** Takes up or clears away what a crash left half-done at least `idleMs` ago (0: this is the only program on this folder). */
export function createRecovery(deps: RecoveryDeps): (idleMs: number) => Promise<void> {
  const { repo, orders, storage, queue, clock, log, intake, uploadDir } = deps

  /** Where a row that was left in the middle goes on, or whether it must go: its file is nowhere any more. */
  async function resumeVideo(video: VideoRow): Promise<void> {
    if (video.step === 'importing') return queue.add('import-video', video.user_id)
    const { id, original_key: key } = video
    // With a master it is being prepared again: whatever becomes of that, the master stays.
    if (video.master || (key && (await storage.head(key)))) return queue.add(jobOf(laneOf(video)), video.user_id)
    if (key && !(await isMissing(intake.arrivalOf(id)))) return intake.settle(video)
    await deps.leaveEnded(id)
    // A broadcast that waits for it keeps its row, and has to learn that nothing comes of it.
    if (!(await repo.remove(id))) {
      await repo.update(id, { ...failedColumns(video, { code: 'cut-off' }), original_key: null })
    }
    await storage.remove(folderOf(video))
  }

  /** Files of this machine that a crash kept from their place: their rows are nobody else's, however young. */
  async function settleOwn(): Promise<void> {
    for (const id of await readdir(uploadDir).catch(() => [])) {
      const video = await repo.byId(id)
      const isOurs = video?.status === 'processing' && video.original_key !== null
      if (!isOurs || (await isMissing(intake.arrivalOf(id)))) continue
      await resumeVideo(video).catch((error) => log.error({ err: error, videoId: id }, LATER))
    }
  }

  /** Answers those that could not be resumed: their files must stay for the next start. */
  async function resumeVideos(before: number): Promise<ReadonlySet<string>> {
    const unsettled = new Set<string>()
    for (const video of await repo.unfinished(before)) {
      await resumeVideo(video).catch((error) => {
        log.error({ err: error, videoId: video.id }, LATER)
        unsettled.add(video.id)
      })
    }
    return unsettled
  }

  return async (idleMs) => {
    const before = clock.now() - idleMs
    if (deps.hasOwnFolder) await settleOwn()
    const unsettled = await resumeVideos(before)
    for (const userId of await orders.openOwners()) await queue.add(jobOf('long'), userId)
    for (const leftover of await readdir(uploadDir).catch(() => [])) {
      if (unsettled.has(leftover)) continue
      const directory = intake.directoryOf(leftover)
      const touched = await stat(directory).catch(() => null)
      if (touched && touched.mtimeMs <= before) await rm(directory, { recursive: true, force: true })
    }
  }
}

/** Only a plain no is one: a disk that cannot be read now must not cost anybody a video. */
const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error) => {
      if (error.code === 'ENOENT') return true
      throw error
    },
  )
