import { join } from 'node:path'
import { repeat } from '../../platform/repeat.ts'
import { createClearance } from './clear-ended-plans.ts'
import { createImportPlaces } from './import-places.ts'
import { createImportJob } from './import-video.ts'
import { atOnce, jobOf } from './lanes.ts'
import type { LibraryDeps, LibraryParts } from './library-parts.ts'
import { createHandedOver } from './preparation/handed-over.ts'
import { createPrepareJob } from './preparation/prepare-video.ts'
import { createLibraryRefill } from './refill-library.ts'
import { createWorkFolders } from './work-folders.ts'
import { createWorkPermits } from './work-permit.ts'

type WorkerDeps = LibraryDeps & LibraryParts

/** For as many users: an import mostly waits for another server. One that begins finds out whether another has to give way. */
const IMPORTS_AT_ONCE = 64
const IMPORTS_THAT_BEGIN = 8
const IMPORT_PLACES = { most: IMPORTS_AT_ONCE, keptForOthers: 16, settledMs: 10_000, putOffMs: 600_000 }
/** What nobody has touched for so long is no longer under way on another machine either. */
const DAY_MS = 86_400_000

export function createWorkerRole(deps: WorkerDeps) {
  const { queue, log, timings, dataDir } = deps
  const clearance = createClearance({ ...deps, library: deps.service })
  let stopClearing = async () => {}
  let stopRefilling = async () => {}
  let stopClearingCopies = async () => {}

  function workOnJobs(workOf: ReturnType<typeof createWorkFolders>['of']): void {
    const permitFor = createWorkPermits({ ...deps, everyMs: timings.desiredStateMs })
    const handedOver = createHandedOver()
    const preparing = { ...deps, permitFor, workOf, handedOver, timings: timings.mediaTools }
    for (const lane of ['quick', 'long'] as const) {
      queue.work(jobOf(lane), atOnce(deps)[lane], createPrepareJob(preparing, lane))
    }
    const importing = { ...deps, permitFor, pace: timings.imports, places: createImportPlaces(IMPORT_PLACES) }
    queue.work('import-video', IMPORTS_AT_ONCE + IMPORTS_THAT_BEGIN, createImportJob(importing))
  }

  return {
    /** Prepares and imports. */
    async start(): Promise<void> {
      await deps.renditions.followOlderVersion()
      const abandonedAfterMs = deps.isAlone ? 0 : DAY_MS
      const folders = createWorkFolders({ ...deps, workDir: join(dataDir, 'work'), abandonedAfterMs })
      await folders.clearLeft()
      workOnJobs(folders.of)
      stopRefilling = repeat({
        firstAfterMs: timings.refillMs,
        everyMs: timings.refillMs,
        log,
        complaint: 'could not look for videos without a job',
        work: createLibraryRefill(deps),
      })
      clearance.start()
      stopClearing = repeat({
        ...timings.clearance,
        log,
        complaint: 'could not look for folders of preparations that nobody is at',
        work: folders.clearAbandoned,
      })
      stopClearingCopies = repeat({
        ...timings.copies,
        log,
        complaint: 'could not look for copies of what others have deleted',
        work: async () => deps.storage.clearCopies?.(),
      })
    },
    async stop(): Promise<void> {
      await stopRefilling()
      await stopClearing()
      await stopClearingCopies()
      await clearance.stop()
    },
  }
}
