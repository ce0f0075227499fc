import type { CallerHooks } from '../identity/caller-hooks.ts'
import { libraryRoutes } from './library.routes.ts'
import { createLibraryParts, type LibraryDeps } from './library-parts.ts'
import { createWebRole } from './web-role.ts'
import { createWorkerRole } from './worker-role.ts'

export function createLibrary(deps: LibraryDeps) {
  const parts = createLibraryParts(deps)
  const { service, resumable } = parts
  const web = createWebRole({ ...deps, ...parts })
  const worker = createWorkerRole({ ...deps, ...parts })
  return {
    service,
    routes: (hooks: CallerHooks) => libraryRoutes({ service, resumable, hooks }),
    startWeb: web.start,
    /** In the web role, after the broadcasts. */
    resumeWeb: web.resume,
    /** In the worker role. */
    start: worker.start,
    /** Every file of a user who goes, also those on their way; the rows of what is left go with the user's own. */
    async eraseUser(userId: string): Promise<void> {
      await parts.repo.forgetLowRoom(userId)
      await service.removeAllOf(userId)
      await resumable.forgetOf(userId)
      await deps.storage.remove(`${userId}/`)
    },
    async stop(): Promise<void> {
      await web.stop()
      await worker.stop()
    },
  }
}
