import type { CallerHooks } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { createActivityRepo } from './activity.repo.ts'
import { activityRoutes } from './activity.routes.ts'
import { createActivityService } from './activity.service.ts'

type ServiceDeps = Parameters<typeof createActivityService>[0]

export interface ActivityDeps {
  db: Db
  clock: Clock
  /** Streams knows, and activity may not import it. */
  broadcastsOf: ServiceDeps['broadcastsOf']
}

export function createActivity({ db, ...deps }: ActivityDeps) {
  const service = createActivityService({ ...deps, repo: createActivityRepo(db) })
  return { service, routes: (hooks: CallerHooks) => activityRoutes({ service, hooks }) }
}
