import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { createPlansRepo, type PlanOf } from './plans.repo.ts'
import { plansRoutes } from './plans.routes.ts'
import { createPlansService, type MachineLimits } from './plans.service.ts'

export type { PlansService } from './plans.service.ts'

export interface PlansDeps {
  db: Db
  planOf: PlanOf
  clock: Clock
  trialDays: number
  enforced: boolean
  most: MachineLimits
}

export function createPlans({ db, planOf, ...deps }: PlansDeps) {
  const service = createPlansService({ ...deps, repo: createPlansRepo(db, planOf) })
  return { service, routes: (hooks: CallerHooks) => plansRoutes({ service, hooks }) }
}
