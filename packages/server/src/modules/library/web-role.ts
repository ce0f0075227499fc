import { repeat } from '../../platform/repeat.ts'
import type { LibraryDeps, LibraryParts } from './library-parts.ts'
import { createRecovery } from './recover-library.ts'
import { createSweep } from './sweep-files.ts'

type WebDeps = LibraryDeps & LibraryParts

/** What nobody has touched for so long is no longer under way on another machine either. */
const DAY_MS = 86_400_000
/** Where the clock does not tell how long ago: nothing is so old. */
const NEVER_MS = 100 * 366 * DAY_MS
/** Not while a start of the program has enough to do. */
const SWEEP = { firstAfterMs: 600_000, everyMs: 3_600_000 }

export function createWebRole(deps: WebDeps) {
  const { renditions, reservations, resumable, masters, log, trust, isAlone } = deps
  const recovery = createRecovery({ ...deps, isAmongUploads: resumable.holdsFileOf })
  let stopSweeping = async () => {}
  return {
    /** Clears away what a crash left half-received, and old uploads from now on. The broadcasts wait for it, so it asks no store. */
    async start(): Promise<void> {
      await renditions.followOlderVersion()
      // Nobody else can hold them. On a full disk they lapse by themselves: it must not keep the program from starting.
      if (isAlone) {
        await reservations
          .releaseOf(['multipart', 'import'])
          .catch((error) => log.warn({ err: error }, 'what an earlier run had reserved could not be released'))
      }
      const { isSure } = await trust()
      await recovery.begin(isAlone ? 0 : isSure ? DAY_MS : NEVER_MS)
      await resumable.findFinished()
      resumable.start()
      const sweep = createSweep({ ...deps, isWaiting: resumable.isWaiting, isThere: resumable.isThere })
      stopSweeping = repeat({
        ...SWEEP,
        log,
        complaint: 'could not look for files that belong to nothing',
        async work() {
          // How old a file is says the clock: by a wrong one an upload that is on its way would go.
          if (!(await trust()).isSure) return
          await masters.clearLeft()
          await sweep()
        },
      })
    },
    /** Once the broadcasts are back: takes up what a crash left half-done. A store may be slow, and inspecting what was sent takes long. */
    resume(): void {
      recovery.start()
      resumable.resumeFinished()
    },
    async stop(): Promise<void> {
      await recovery.stop()
      await resumable.stop()
      await stopSweeping()
    },
  }
}
