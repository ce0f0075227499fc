import type { CallerHooks } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import { createIdentityRepo } from './identity.repo.ts'
import { identityRoutes } from './identity.routes.ts'
import { createIdentityService } from './identity.service.ts'

export interface IdentityDeps {
  db: Db
  sealer: Sealer
  clock: Clock
  publicUrl: string | null
  activity: Pick<ActivityService, 'record'>
}

export function createIdentity({ db, publicUrl, ...deps }: IdentityDeps) {
  const service = createIdentityService({ ...deps, repo: createIdentityRepo(db) })
  return { service, routes: (hooks: CallerHooks) => identityRoutes({ service, hooks, publicUrl }) }
}
