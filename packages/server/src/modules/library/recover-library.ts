import { readdir, rm, stat } from 'node:fs/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Intake } from './intake.ts'
import { jobOf, laneOf } from './lanes.ts'
import type { LibraryRepo } from './library.repo.ts'
import { failedColumns } from './preparation/failed-preparation.ts'
import { BEFORE_ALL } from './read-videos.repo.ts'
import type { RenditionOrdersRepo } from './rendition-orders.repo.ts'
import { folderOf, type VideoRow } from './video-row.ts'

interface RecoveryDeps {
  orders: Pick<RenditionOrdersRepo, 'openOwners'>
  repo: Pick<LibraryRepo, 'byId' | 'remove' | 'unfinished' | 'update' | 'waitingJobs'>
  storage: Pick<Storage, 'head' | 'remove'>
  queue: Pick<Queue, 'add'>
  clock: Clock
  log: Log
  intake: Pick<Intake, 'arrivalOf' | 'directoryOf' | 'isAt' | 'settle'>
  /** Whether the file of a row still lies among the resumable uploads: what finishes those puts it into its place. */
  isAmongUploads: (video: VideoRow) => Promise<boolean>
  uploadDir: string
  /** No other machine sees it. */
  hasOwnFolder: boolean
  /** Takes a video out of every broadcast that has ended, in small batches. */
  leaveEnded: (videoId: string) => Promise<void>
}

const READ_AT_ONCE = 100
/** So many that could not be taken up are remembered. The others are read once there is room again. */
const MOST_AGAIN = 1_000
const AGAIN_MS = 300_000

/**
 * Takes up or clears away what a crash left half-done. The store is asked for the file of each video, and may be slow or away: that is done
 * beside all else, once the broadcasts are back. By then people upload and jobs run, so each video is looked at as it is at that moment.
 */
export function createRecovery(deps: RecoveryDeps) {
  const { repo, orders, queue, clock, log, intake, uploadDir } = deps
  const closing = new AbortController()
  const closed = new Promise<void>((resolve) => {
    closing.signal.addEventListener('abort', () => resolve())
  })
  const isClosed = (): boolean => closing.signal.aborted
  const again = new Set<string>()
  let before = 0
  let behind = BEFORE_ALL
  const left = { jobs: true, videos: true }
  let stopRepeating = async () => {}
  const { takeUp, clearArrival } = createTakeUp(deps, isClosed)

  async function tryToTakeUp(id: string): Promise<void> {
    try {
      await takeUp(id)
      again.delete(id)
    } catch (error) {
      if (isClosed()) return
      log.error({ err: error, videoId: id }, 'an arrived video could not be taken up, this is tried again')
      again.add(id)
    }
  }

  async function giveJobs(): Promise<void> {
    for (const { userId, kind } of await repo.waitingJobs(before)) await queue.add(kind, userId)
    for (const userId of await orders.openOwners()) await queue.add(jobOf('long'), userId)
    left.jobs = false
  }

  async function takeUpSome(): Promise<void> {
    const some = await repo.unfinished(before, behind, READ_AT_ONCE)
    for (const place of some) {
      if (isClosed()) return
      await tryToTakeUp(place.id)
      behind = place
    }
    left.videos = some.length === READ_AT_ONCE
  }

  async function round(): Promise<void> {
    if (left.jobs) await giveJobs()
    for (const id of [...again]) if (!isClosed()) await tryToTakeUp(id)
    while (left.videos && again.size < MOST_AGAIN && !isClosed()) await takeUpSome()
  }

  return {
    /**
     * Before anybody can call, since what lies half-received now is nobody's any more, and later it would be somebody's. Whatever was left at
     * least `idleMs` ago is taken up later on (0: this is the only program on this folder).
     */
    async begin(idleMs: number): Promise<void> {
      before = clock.now() - idleMs
      for (const id of await readdir(uploadDir).catch(() => [])) {
        const video = await repo.byId(id)
        if (video?.status === 'processing' && video.original_key !== null) {
          // A file of this machine that a crash kept from its place: its row is nobody else's, however young.
          if (deps.hasOwnFolder) again.add(id)
          continue
        }
        const touched = await stat(intake.directoryOf(id)).catch(() => null)
        if (touched && touched.mtimeMs <= before) await clearArrival(id)
      }
    },
    start(): void {
      const complaint = 'what a crash left could not be taken up, this is tried again'
      const work = () => Promise.race([round(), closed])
      stopRepeating = repeat({ firstAfterMs: 0, everyMs: AGAIN_MS, log, complaint, work })
    },
    /** Waits for no store: what it was asked is asked again at the next start. */
    async stop(): Promise<void> {
      closing.abort()
      await stopRepeating()
    },
  }
}

/** One video as it is now: where it goes on, or whether it must go. */
function createTakeUp(deps: RecoveryDeps, isClosed: () => boolean) {
  const { repo, storage, queue, intake } = deps

  const clearArrival = (id: string): Promise<void> => rm(intake.directoryOf(id), { recursive: true, force: true })

  /** Its file is nowhere any more. */
  async function drop(video: VideoRow): Promise<void> {
    await deps.leaveEnded(video.id)
    // A broadcast that waits for it keeps its row, and has to learn that nothing comes of it.
    if (!(await repo.remove(video.id))) {
      await repo.update(video.id, { ...failedColumns(video, { code: 'cut-off' }), original_key: null })
    }
    await storage.remove(folderOf(video))
  }

  async function takeUp(id: string): Promise<void> {
    const video = await repo.byId(id)
    if (video?.status !== 'processing' || video.step === 'importing' || intake.isAt(id)) return
    const { original_key: key } = video
    // In the order in which a file moves: one that moves meanwhile is seen at one of these places.
    const isUpload = await deps.isAmongUploads(video)
    const isHere = key !== null && !(await isMissing(intake.arrivalOf(id)))
    // With a master it is being prepared again: whatever becomes of that, the master stays.
    const isStored = video.master !== null || (key !== null && (await storage.head(key)) !== null)
    if (isClosed() || (isUpload && !isStored)) return
    if (isStored) await queue.add(jobOf(laneOf(video)), video.user_id)
    else if (isHere) await intake.settle(video)
    else await drop(video)
    await clearArrival(id)
  }

  return { takeUp, clearArrival }
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
