import type { Clock } from '../../platform/clock.ts'
import { type DueRows, dueRows } from '../../platform/due-rows.ts'
import type { Log } from '../../platform/log.ts'
import type { Timings } from '../../platform/timings.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { LibraryService } from './library.service.ts'
import type { RecordingsPort } from './recordings-port.ts'

interface ClearanceDeps {
  /** Those of them whose videos have been kept for long enough after the plan's end. */
  toBeCleared: (owners: readonly string[]) => Promise<string[]>
  /** Somebody has looked, and some stay. */
  noteStillEnded: (userId: string) => Promise<void>
  /** To be told to the person. */
  noteCleared: (userId: string) => Promise<void>
  repo: Pick<LibraryRepo, 'owners'>
  library: Pick<LibraryService, 'removeAllOf'>
  recordings: Pick<RecordingsPort, 'expireAllOf'>
  clock: Clock
  log: Log
  timings: Pick<Timings, 'clearance'>
}

/** Deletes the videos of plans that ended long ago. Where there are several workers, the one that deletes tells it. */
export function createClearance(deps: ClearanceDeps): DueRows {
  const { toBeCleared, noteStillEnded, noteCleared, repo, library, recordings, clock, log, timings } = deps

  /** False: all that there is is on air or needed by recordings, so that it stays for now. Those go by their own rules, and then it does. */
  async function clear(userId: string): Promise<boolean> {
    await recordings.expireAllOf(userId)
    const videos = await library.removeAllOf(userId)
    await noteStillEnded(userId)
    if (videos === 0) return false
    log.info({ userId, videos }, 'videos deleted after the end of a plan')
    await noteCleared(userId)
    return true
  }

  const { everyMs } = timings.clearance
  return dueRows<string>({
    claim: async () => toBeCleared(await repo.owners()),
    idOf: (userId) => userId,
    handle: clear,
    backoff: { firstMs: everyMs, longestMs: everyMs },
    // One at a time, and judged just before: the plan may have been renewed since the last poll.
    atOnce: 1,
    ...timings.clearance,
    clock,
    log,
    complaint: 'the videos of an ended plan could not be deleted',
  })
}
