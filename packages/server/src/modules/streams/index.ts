import type { Platform } from '@siarin/contracts/platforms'
import type { CallerHooks } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { SourceProxy } from '../../platform/egress/source-proxy.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { LibraryService } from '../library/library.service.ts'
import { addressOfTarget, resolveTarget } from './resolve-target.ts'
import { createStreamFeed } from './stream-feed.ts'
import { createStreamsRepo } from './streams.repo.ts'
import { streamsRoutes } from './streams.routes.ts'
import { createStreamsService } from './streams.service.ts'
import { createSupervisor } from './supervisor.ts'

export interface StreamsDeps {
  db: Db
  queue: Queue
  library: LibraryService
  sealer: Sealer
  clock: Clock
  events: Events
  log: Log
  dataDir: string
  /** Where running broadcasts keep their progress. */
  runDir: string
  ffmpegPath: string
  ffprobePath: string
  /** How many streams this program takes on. */
  maxStreams: number
  /** True: there is no other worker, so what does not fit here is refused at once. */
  soleWorker: boolean
  machineHasRoom: () => boolean
  sessionLimits: Readonly<Record<Platform, number | null>>
  /** Broadcasts run on while the program is down, and its next start takes them over. */
  keepOnExit: boolean
  egress: Egress
  sourceProxy: Pick<SourceProxy, 'url'>
}

export function createStreams({ db, runDir, egress, ...deps }: StreamsDeps) {
  const { maxStreams, soleWorker, machineHasRoom, clock } = deps
  const repo = createStreamsRepo(db)
  const service = createStreamsService({
    ...deps,
    repo,
    hasRoom: soleWorker
      ? async () => machineHasRoom() && (await repo.countActive()) < maxStreams
      : () => repo.workersHaveRoom(clock.now()),
    resolveTarget: (platform, typed) => resolveTarget(platform, typed, egress),
  })
  return {
    service,
    countByPhase: () => repo.countByPhase(),
    routes: (hooks: CallerHooks) => streamsRoutes({ service, feed: createStreamFeed({ ...deps, service }), hooks }),
    supervisor: createSupervisor({
      ...deps,
      repo,
      runDir,
      addressOf: (target) => addressOfTarget(target, egress),
    }),
  }
}
