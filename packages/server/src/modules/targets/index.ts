import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { createTargetTests } from './target-tests.ts'
import { createTargetsRepo } from './targets.repo.ts'
import { targetsRoutes } from './targets.routes.ts'
import { createTargetsService } from './targets.service.ts'

export interface TargetsDeps {
  db: Db
  sealer: Sealer
  clock: Clock
  log: Log
  egress: Egress
  activity: Pick<ActivityService, 'record'>
  ffmpegPath: string
  /** Whether a broadcast of this workspace goes to the target of this mark. */
  isOnAir: (workspaceId: string, targetMark: string) => Promise<boolean>
  /** Whether one goes to this stored target, with the key that it had then. */
  isStoredOnAir: (workspaceId: string, targetId: string) => Promise<boolean>
}

/** Where broadcasts go, saved under a name: judged when saved, tested when asked. */
export function createTargets({ db, ...deps }: TargetsDeps) {
  const repo = createTargetsRepo(db)
  const service = createTargetsService({ ...deps, repo })
  const tests = createTargetTests({ ...deps, repo })
  return {
    service,
    routes: (hooks: CallerHooks) => targetsRoutes({ service, tests, hooks }),
    stop: () => tests.stop(),
  }
}
