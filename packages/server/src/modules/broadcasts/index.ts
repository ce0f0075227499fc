import type { Platform } from '@siarin/contracts/platforms'
import { isDiskFull } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { runDirsOf } from '../../platform/data-dir.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { SourceProxy } from '../../platform/egress/source-proxy.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { MachineShortage } from '../../platform/process/machine-load.ts'
import type { ProcessStarter } from '../../platform/process/spawner.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Timings } from '../../platform/timings.ts'
import type { BrandLooks } from '../branding/brand-looks.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from '../library/library.service.ts'
import type { PlansService } from '../plans/index.ts'
import type { createPlatforms } from '../platforms/index.ts'
import { createPlaylistsRepo } from '../playlists/playlists.repo.ts'
import { addressOfTarget, resolveTarget } from '../targets/resolve-target.ts'
import { createBroadcastsService } from './api/broadcasts.service.ts'
import { createScheduledEnd } from './api/scheduled-control.ts'
import { createStop } from './api/stop-stream.ts'
import { createStreamFeed } from './api/stream-feed.ts'
import { streamsRoutes } from './api/streams.routes.ts'
import { createStreamsService } from './api/streams.service.ts'
import { createStreamMeter } from './keeper/stream-meter.ts'
import type { Fleet } from './lease/fleet.ts'
import { createRelaySource } from './relay/relay-source.ts'
import { createRunFolders } from './sender/run-folders.ts'
import { createChooseLogo } from './spec/choose-logo.ts'
import { createChooseRecipes } from './spec/choose-recipes.ts'
import { createChooseSource } from './spec/choose-source.ts'
import { createExtend, createLaunch } from './spec/launch.ts'
import { createSpecify } from './spec/specify.ts'
import { createSpecifyTargets, type ResolveTargets, type SpecifyTargetsDeps } from './spec/specify-targets.ts'
import { followOlderVersion } from './store/older-version.ts'
import { scheduledBroadcasts } from './store/scheduled-broadcasts.ts'
import { createStreamsRepo, type StreamsRepo } from './store/streams.repo.ts'
import { createWorkerLeasesRepo } from './store/worker-leases.repo.ts'
import { createWorkersRepo, type Shortage } from './store/workers.repo.ts'
import { createPlanKeeper } from './worker/plan-keeper.ts'
import type { SessionStarterDeps } from './worker/session-starter.ts'
import { createStopAll } from './worker/stop-all.ts'
import { createSupervisor } from './worker/supervisor.ts'

export interface StreamsDeps {
  db: Db
  changes: Pick<Changes, 'of' | 'seesOthers'>
  queue: Queue
  library: LibraryService
  storage: Storage
  looks: Pick<BrandLooks, 'of' | 'freeze'>
  platforms: Pick<ReturnType<typeof createPlatforms>, 'sources' | 'previewsOf' | 'broadcasts'>
  /** Finds saved targets, with their keys. */
  resolveTargets: ResolveTargets
  plans: PlansService
  egress: Egress
  /** Through which ffmpeg reads online sources. */
  sourceProxy: Pick<SourceProxy, 'url' | 'takeOver'>
  /** How many relays of this machine may be re-encoded at once. */
  maxRelayEncodes: number
  /** Where a session of a stream is written down. */
  openRecorder: SessionStarterDeps['openRecorder']
  sealer: Sealer
  clock: Clock
  events: Events
  log: Log
  timings: Timings
  /** What starts the ffmpegs of broadcasts. */
  processes: ProcessStarter
  dataDir: string
  /** Where running broadcasts keep their progress. */
  runDir: string
  ffmpegPath: string
  ffprobePath: string
  /** The name of this machine among the workers. */
  worker: string
  /** How many streams this program takes on. */
  maxStreams: number
  /** True: there is no other worker, so what does not fit here is refused at once. */
  soleWorker: boolean
  machineShortage: () => MachineShortage | null
  isMemoryLow: () => boolean
  machineLoad: () => { cpu: number; memory: number }
  /** Several machines keep the streams of this database, and tell each other by its rows. */
  isMany: boolean
  /** Only a worker among several has one. */
  fleet: Fleet | null
  sessionLimits: Readonly<Record<Platform, number | null>>
  /** Broadcasts run on while the program is down, and its next start takes them over. */
  keepOnExit: boolean
}

export function createStreams({ db, runDir, platforms, ...given }: StreamsDeps) {
  const { soleWorker, isMany } = given
  const { sources, previewsOf } = platforms
  const repo = createStreamsRepo(db)
  const deps = isMany ? { ...given, queue: hinting(given, repo.assigned.hint) } : given
  const workers = createWorkersRepo(db)
  const playlists = createPlaylistsRepo(db)
  const relaySource = createRelaySource({ ...deps, proxyUrl: deps.sourceProxy.url })
  const chooseSource = createChooseSource({ ...deps, playlists, sources, relaySource })
  const targetDeps: SpecifyTargetsDeps = {
    ...deps,
    repo,
    resolveTarget: (platform, typed) => resolveTarget(platform, typed, deps.egress),
  }
  const chooseRecipes = createChooseRecipes(deps)
  const chooseLogo = createChooseLogo(deps)
  const specify = createSpecify({ ...targetDeps, chooseSource, chooseRecipes, chooseLogo })
  const launchDeps: Parameters<typeof createLaunch>[0] = {
    ...deps,
    repo,
    linkBroadcast: platforms.broadcasts.link,
    knowReady: (streamId) => {
      if (soleWorker) supervisor.knowReady(streamId)
    },
    shortage: shortageOf(deps, repo, db),
  }
  const launch = createLaunch(launchDeps)
  const stop = createStop({ ...deps, repo })
  const ofService = { repo, playlists, sources, previewsOf, chooseSource, specify, launch, stop }
  const service = createStreamsService({ ...deps, ...ofService })
  const more = { specifyTargets: createSpecifyTargets(targetDeps), extend: createExtend(launchDeps) }
  const going = { ...more, specify, chooseRecipes, launch, stop }
  const broadcasts = createBroadcastsService({ ...deps, ...going, repo })
  const planKeeper = createPlanKeeper({ ...deps, repo })
  /** Ends at the platforms what is over here. */
  const platformEnder = platforms.broadcasts.createEnder(repo.atTargets)
  const meter = createStreamMeter()
  const supervisor = createSupervisor({
    ...deps,
    ...{ meter, repo, workers, playlists, sources, relaySource, proxyUrl: deps.sourceProxy.url },
    addressOf: (target, own) => addressOfTarget(target, deps.egress.targets, own),
    folders: createRunFolders({ runDir, diskDir: runDirsOf(deps.dataDir).onDisk }),
  })
  let hasSupervisor = false
  return {
    service,
    stopAllOf: createStopAll({ repo, service }),
    /** For schedules: they specify and launch by themselves, with an id of their own. */
    scheduled: {
      ...{ specify, launch, end: createScheduledEnd({ ...deps, repo }), pinsOf: chooseSource.pinsOf },
      ...scheduledBroadcasts(db),
    },
    /** How the streams of this worker fare, since the last time: for one taker. */
    takeFigures: meter.take,
    /** Whose it is and what it sends; null: there is no such stream. */
    byId: (streamId: string) => repo.byId(streamId),
    countByPhase: () => repo.countByPhase(),
    workload: supervisor.workload,
    routes: (hooks: CallerHooks) =>
      streamsRoutes({ service, broadcasts, feed: createStreamFeed({ ...deps, service }), hooks }),
    isPlaylistOnAir: (playlistId: string) => repo.isPlaylistOnAir(playlistId),
    /** The streams that play it look anew at what follows. */
    async playlistChanged(playlistId: string): Promise<void> {
      for (const streamId of await repo.askPlaylist(playlistId)) deps.events.emit('stream.swap-asked', { streamId })
    },
    /** In the worker role: takes over what still runs, and brings back what should be on air. */
    async start(): Promise<void> {
      await followOlderVersion(db, deps.worker).catch((error) => {
        // There is seldom anything to follow. What is on air has to be taken over also where nothing can be written.
        if (!isDiskFull(error)) throw error
        deps.log.error({ err: error }, 'what an older version may have left is looked at with the next start')
      })
      await deps.sourceProxy.takeOver()
      await planKeeper.start()
      hasSupervisor = true
      await supervisor.start()
      platformEnder.start()
      const resumed = isMany ? 0 : await service.resume()
      if (resumed > 0) deps.log.info({ resumed }, 'streams go on')
    },
    /** Moves what this worker keeps to others, until `signal` says that there is no more time. */
    drain: async (signal: AbortSignal): Promise<void> => {
      if (hasSupervisor) await supervisor.drain(signal)
    },
    async stop(): Promise<void> {
      if (hasSupervisor) await supervisor.stop()
      await platformEnder.stop()
      await planKeeper.stop()
    },
  }
}

/** Where there are several machines no queue carries streams: a worker finds them by their rows, the sooner where it is told of news. */
const hinting = ({ queue, log }: Pick<StreamsDeps, 'queue' | 'log'>, hint: () => Promise<void>): Queue => ({
  ...queue,
  async add(kind, id) {
    if (kind !== 'stream') return queue.add(kind, id)
    await hint().catch((error) =>
      log.debug({ err: error }, 'workers were not told of a stream: they find it by themselves'),
    )
  },
})

/** Why so many streams more are not taken on; null: they are. */
function shortageOf(
  { soleWorker, isMany, machineShortage, maxStreams, clock, log }: Omit<StreamsDeps, 'db' | 'runDir' | 'platforms'>,
  repo: Pick<StreamsRepo, 'countActive'>,
  db: Db,
): (count: number) => Promise<Shortage | null> {
  const workers = createWorkersRepo(db)
  const leases = createWorkerLeasesRepo(db)
  if (!soleWorker) return async (count) => workers.shortage(clock.now(), count, isMany ? await leases.rooms() : [])
  return async (count) => {
    const shortOf = machineShortage()
    if (shortOf) log.warn({ shortOf }, 'a stream was refused: see MAX_CPU_PERCENT and MIN_FREE_MEMORY_MB')
    return shortOf ?? ((await repo.countActive()) + count <= maxStreams ? null : 'places')
  }
}
