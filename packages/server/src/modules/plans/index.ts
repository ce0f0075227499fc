import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Timings } from '../../platform/timings.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { createPlansRepo, type PlanOf } from './plans.repo.ts'
import { plansRoutes } from './plans.routes.ts'
import { createPlansService, type MachineLimits } from './plans.service.ts'

import { createEndTeller } from './tell-ends.ts'

export type { PlansService } from './plans.service.ts'

export interface PlansDeps {
  db: Db
  planOf: PlanOf
  clock: Clock
  trust: ClockTrust
  log: Log
  timings: Pick<Timings, 'planEnds'>
  trialDays: number
  enforced: boolean
  most: MachineLimits
}

export function createPlans({ db, planOf, ...deps }: PlansDeps) {
  const repo = createPlansRepo(db, planOf)
  const service = createPlansService({ ...deps, repo })
  const ends = createEndTeller({ ...deps, repo })
  return {
    service,
    routes: (hooks: CallerHooks) => plansRoutes({ service, hooks }),
    /** In the worker role. */
    start: ends.start,
    stop: ends.stop,
  }
}
