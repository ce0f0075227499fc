import type { Log } from '../../platform/log.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { LibraryService } from './library.service.ts'

interface ClearanceDeps {
  /** Whose videos have been kept for long enough after the plan's end, of these. */
  toBeCleared: (owners: readonly string[]) => Promise<string[]>
  /** To be told to the person. */
  noteCleared: (userId: string) => Promise<void>
  repo: Pick<LibraryRepo, 'owners'>
  library: Pick<LibraryService, 'removeAllOf'>
  log: Log
}

/** Deletes the videos of plans that ended long ago. Of several workers, the one that deletes is the one that tells. */
export const createClearance =
  ({ toBeCleared, noteCleared, repo, library, log }: ClearanceDeps) =>
  async (): Promise<void> => {
    for (const userId of await toBeCleared(await repo.owners())) {
      try {
        // It may have been renewed since the list was made.
        if ((await toBeCleared([userId])).length === 0) continue
        const videos = await library.removeAllOf(userId)
        if (videos === 0) continue
        log.info({ userId, videos }, 'videos deleted after the end of a plan')
        await noteCleared(userId)
      } catch (error) {
        log.error({ err: error, userId }, 'the videos of an ended plan could not be deleted')
      }
    }
  }
