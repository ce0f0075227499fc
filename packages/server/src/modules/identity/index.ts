import type { CallerHooks } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { createIdentityRepo } from './identity.repo.ts'
import { identityRoutes } from './identity.routes.ts'
import { createIdentityService } from './identity.service.ts'

export interface IdentityDeps {
  db: Db
  sealer: Sealer
  clock: Clock
  publicUrl: string | null
}

export function createIdentity({ db, sealer, clock, publicUrl }: IdentityDeps) {
  const service = createIdentityService({ repo: createIdentityRepo(db), sealer, clock })
  return { service, routes: (hooks: CallerHooks) => identityRoutes({ service, hooks, publicUrl }) }
}
