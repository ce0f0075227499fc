import { join } from 'node:path'
import type { CallerHooks } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { createLibraryRepo } from './library.repo.ts'
import { libraryRoutes } from './library.routes.ts'
import { createLibraryService } from './library.service.ts'
import { createVideoProbe } from './probe-video.ts'

export interface LibraryDeps {
  db: Db
  storage: Storage
  clock: Clock
  events: Events
  dataDir: string
  ffprobePath: string
  /** Asked before a video is deleted; streams knows, and library may not import it. */
  isOnAir: (videoId: string) => Promise<boolean>
}

export function createLibrary({ db, dataDir, ffprobePath, ...deps }: LibraryDeps) {
  const service = createLibraryService({
    ...deps,
    repo: createLibraryRepo(db),
    probeVideo: createVideoProbe(ffprobePath),
    uploadDir: join(dataDir, 'uploads'),
  })
  return { service, routes: (hooks: CallerHooks) => libraryRoutes({ service, hooks }) }
}
