import { join } from 'node:path'
import type { PlanId } from '@siarin/contracts/plans'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { KeepWritten } from '../../platform/db/keep-written.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Timings } from '../../platform/timings.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { createClearance } from './clear-ended-plans.ts'
import { createImportJob } from './import-video.ts'
import { createArrivalInspector, createInspector } from './inspect-video.ts'
import { createIntake } from './intake.ts'
import { AT_ONCE, jobOf } from './lanes.ts'
import { createLibraryRepo } from './library.repo.ts'
import { libraryRoutes } from './library.routes.ts'
import { createLibraryService } from './library.service.ts'
import { createPrepareJob } from './prepare-video.ts'
import { createLibraryRefill } from './refill-library.ts'
import { createRenditionStore } from './rendition-store.ts'
import { createRenditionsRepo } from './renditions.repo.ts'
import { createReservationsRepo } from './reservations.repo.ts'
import { createResumableUploads } from './resumable-uploads.ts'
import { createRoom, type LibraryLimits } from './room.ts'
import { createSweep } from './sweep-files.ts'
import { createWorkFolders } from './work-folders.ts'
import { createWorkPermits } from './work-permit.ts'

export interface LibraryDeps {
  db: Db
  storage: Storage
  queue: Queue
  clock: Clock
  events: Events
  log: Log
  sealer: Sealer
  dataDir: string
  ffmpegPath: string
  ffprobePath: string
  egress: Egress
  diskReserveBytes: () => number
  limitsOf: (userId: string) => Promise<LibraryLimits>
  /** Named where there is no room; null where no plan is at fault. */
  roomPlanOf: (userId: string) => Promise<PlanId | null>
  toBeCleared: (owners: readonly string[]) => Promise<string[]>
  noteCleared: (userId: string) => Promise<void>
  timings: Pick<Timings, 'imports' | 'finishedUploads' | 'clearance' | 'refillMs' | 'desiredStateMs' | 'mediaTools'>
  keepWritten: KeepWritten
  /** No other program works on this folder: what lies half-done at its start is nobody else's. */
  isAlone: boolean
  /** False while a user is suspended or being deleted: what is under way for them ends. */
  mayWork: (userId: string) => Promise<boolean>
}

/** Of as many users: an import mostly waits for another server, and slow ones are to hold nobody up. */
const IMPORTS_AT_ONCE = 16
/** What nobody has touched for so long is no longer under way on another machine either. */
const DAY_MS = 86_400_000
/** Not while a start of the program has enough to do. */
const SWEEP = { firstAfterMs: 600_000, everyMs: 3_600_000 }

export function createLibrary(deps: LibraryDeps) {
  const { storage, queue, clock, events, log, sealer, dataDir, limitsOf, roomPlanOf, timings } = deps
  const repo = createLibraryRepo(deps.db, clock)
  const renditions = createRenditionsRepo(deps.db, clock)
  const masters = createRenditionStore({ ...deps, renditions, isOnAir: repo.isUsed })
  const uploadDir = join(dataDir, 'uploads')
  const inspect = createInspector(deps.ffprobePath, timings.mediaTools.inspectMs)
  const reservations = createReservationsRepo(deps.db)
  const reserveBytes = deps.diskReserveBytes
  const room = createRoom({ repo, reservations, clock, log, limitsOf, roomPlanOf, dataDir, reserveBytes })
  const intake = createIntake({
    repo,
    storage,
    queue,
    clock,
    room,
    inspect: createArrivalInspector(inspect),
    uploadDir,
  })
  const resumableDir = join(dataDir, 'resumable')
  const resumable = createResumableUploads({ ...deps, repo, reservations, intake, room, directory: resumableDir })
  const service = createLibraryService({
    repo,
    storage,
    queue,
    clock,
    events,
    log,
    sealer,
    room,
    intake,
    egress: deps.egress,
    uploadDir,
    limitsOf,
    isOnAir: repo.isUsed,
  })

  const clearance = createClearance({ ...deps, repo, library: service })
  let stopSweeping = async () => {}
  let stopClearing = async () => {}
  let stopRefilling = async () => {}
  return {
    service,
    routes: (hooks: CallerHooks) => libraryRoutes({ service, resumable, hooks }),
    /** In the web role: takes up what a crash left half-done, and clears old uploads away from now on. */
    async startWeb(): Promise<void> {
      await renditions.followOlderVersion()
      // Nobody else can hold them. On a full disk they lapse by themselves: it must not keep the program from starting.
      if (deps.isAlone) {
        await reservations
          .releaseOf(['multipart', 'import'])
          .catch((error) => log.warn({ err: error }, 'what an earlier run had reserved could not be released'))
      }
      await service.recover(deps.isAlone ? 0 : DAY_MS)
      await resumable.findFinished()
      resumable.start()
      const sweep = createSweep({
        ...{ ...deps, repo, reservations, uploadDir, resumableDir },
        isWaiting: resumable.isWaiting,
      })
      stopSweeping = repeat({
        ...SWEEP,
        log,
        complaint: 'could not look for files that belong to nothing',
        async work() {
          await masters.clearLeft()
          await sweep()
        },
      })
    },
    /** In the web role, after the broadcasts: looking into what was sent before a restart may take long. */
    takeUpUploads: resumable.takeUpFinished,
    /** In the worker role: prepares and imports. */
    async start(): Promise<void> {
      await renditions.followOlderVersion()
      const abandonedAfterMs = deps.isAlone ? 0 : DAY_MS
      const work = createWorkFolders({ repo, storage, log, workDir: join(dataDir, 'work'), abandonedAfterMs })
      await work.clearLeft()
      const permitFor = createWorkPermits({ ...deps, repo, everyMs: timings.desiredStateMs })
      const preparing = {
        ...deps,
        repo,
        masters,
        isOnAir: repo.isUsed,
        room,
        inspect,
        permitFor,
        workOf: work.of,
        timings: timings.mediaTools,
      }
      for (const lane of ['quick', 'long'] as const) {
        queue.work(jobOf(lane), AT_ONCE[lane], createPrepareJob(preparing, lane))
      }
      queue.work(
        'import-video',
        IMPORTS_AT_ONCE,
        createImportJob({ ...deps, repo, room, intake, permitFor, pace: timings.imports }),
      )
      stopRefilling = repeat({
        firstAfterMs: timings.refillMs,
        everyMs: timings.refillMs,
        log,
        complaint: 'could not look for videos without a job',
        work: createLibraryRefill({ repo, queue, clock, log, mayWork: deps.mayWork }),
      })
      clearance.start()
      stopClearing = repeat({
        ...timings.clearance,
        log,
        complaint: 'could not look for folders of preparations that nobody is at',
        work: work.clearAbandoned,
      })
    },
    /** Every file of somebody who goes, also those on their way; the rows of what is left go with the user's own. */
    async eraseUser(userId: string): Promise<void> {
      await service.removeAllOf(userId)
      await resumable.forgetOf(userId)
      await storage.remove(`${userId}/`)
    },
    async stop(): Promise<void> {
      await resumable.stop()
      await stopSweeping()
      await stopRefilling()
      await stopClearing()
      await clearance.stop()
    },
  }
}
