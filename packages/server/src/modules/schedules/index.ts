import { playlistIdOf } from '@siarin/contracts/playlists'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Timings } from '../../platform/timings.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import { revokeScheduledEnd } from '../broadcasts/store/revoke-scheduled-end.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { PlansService } from '../plans/index.ts'
import { createCheckAhead } from './check-ahead.ts'
import { createFireOccurrence, type ScheduledBroadcasts } from './fire-occurrence.ts'
import { createPausedPlans } from './left-behind.ts'
import { createClockMends } from './mend-clock.ts'
import { createOccurrencesRepo } from './occurrences.repo.ts'
import { createPinVideos } from './pin-videos.ts'
import { createScheduleRunner } from './schedule-runner.ts'
import type { TargetNames } from './schedule-views.ts'
import { createSchedulesRepo } from './schedules.repo.ts'
import { schedulesRoutes } from './schedules.routes.ts'
import { createSchedulesService } from './schedules.service.ts'
import { createStartPermit } from './start-permit.ts'
import { openRequest } from './start-request.ts'
import { createUpcoming } from './upcoming.ts'
import { createWatchStarted } from './watch-started.ts'

export interface SchedulesDeps {
  db: Db
  broadcasts: ScheduledBroadcasts
  plans: PlansService
  /** What those of these stored targets are called that are still there. */
  targetNames: (workspaceId: string, ids: readonly string[]) => Promise<TargetNames>
  activity: Pick<ActivityService, 'record'>
  sealer: Sealer
  clock: Clock
  log: Log
  timings: Pick<Timings, 'schedules'>
  isAlone: boolean
  /** The program has one: schedules ask it every few seconds, so that it misses no step. */
  trust: ClockTrust
}

/** What goes on air by itself. */
export function createSchedules({ db, ...deps }: SchedulesDeps) {
  const repo = createSchedulesRepo(db)
  const occurrences = createOccurrencesRepo(db)
  const permit = createStartPermit(deps)
  const parts = { ...deps, repo, occurrences, permit }
  const pinVideos = createPinVideos(parts)
  const pinned = { ...parts, repo: { ...repo, byId: pinVideos.byId } }
  const runner = createScheduleRunner({
    ...parts,
    mends: createClockMends(db, revokeScheduledEnd, deps.log),
    paused: createPausedPlans(db),
    fire: createFireOccurrence(pinned),
    check: createCheckAhead(pinned),
    watch: createWatchStarted(parts),
  })
  const service = createSchedulesService({ ...parts, wake: runner.wake })
  return {
    routes: (hooks: CallerHooks) => schedulesRoutes({ service, upcoming: createUpcoming(parts), hooks }),
    /** In the worker role, once the broadcasts are back. */
    async start(): Promise<void> {
      await runner.start()
      pinVideos.start()
    },
    async stop(): Promise<void> {
      pinVideos.stop()
      await runner.stop()
    },
    /** Whether what a schedule starts is this playlist. */
    async namesPlaylist(workspaceId: string, playlistId: string): Promise<boolean> {
      const sealed = await repo.requestsOf(workspaceId)
      return sealed.some((each) => playlistIdOf(openRequest(deps.sealer, each).source) === playlistId)
    },
  }
}
