import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { BootError, OperationalError } from './errors.ts'
import type { App } from './http/types.ts'
import { createAccountRemovals } from './modules/account-removal/index.ts'
import { createAccountBook, createAccounts } from './modules/accounts/index.ts'
import { createActivity } from './modules/activity/index.ts'
import { createActivityScreen } from './modules/activity-screen/index.ts'
import { createArticles } from './modules/articles/index.ts'
import { createStreams } from './modules/broadcasts/index.ts'
import { createHousekeeping } from './modules/housekeeping/index.ts'
import { createCallerHooks } from './modules/identity/caller-hooks.ts'
import { createIdentity } from './modules/identity/index.ts'
import { anySealedKey } from './modules/identity/sealed-sample.ts'
import { createLibrary } from './modules/library/index.ts'
import type { Module } from './modules/module.ts'
import { createPlans } from './modules/plans/index.ts'
import { createPlatforms } from './modules/platforms/index.ts'
import { createSystem } from './modules/system/index.ts'
import { assertRestored } from './platform/backup/restore-backup.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { giveDataToOwner, prepareDataDir, prepareRunDir } from './platform/data-dir.ts'
import { pingDatabase } from './platform/db/database.ts'
import { openMigrated } from './platform/db/open-migrated.ts'
import { createEgress } from './platform/egress/egress.ts'
import { createSourceProxy } from './platform/egress/source-proxy.ts'
import { createEvents } from './platform/events/events.ts'
import type { Log } from './platform/log.ts'
import { openCounters, openMailer, openQueue } from './platform/optional-parts.ts'
import { createToolCheck } from './platform/process/ffmpeg-check.ts'
import { lockFolder } from './platform/process/folder-lock.ts'
import { watchMachine } from './platform/process/machine-load.ts'
import { createLocalStorage } from './platform/storage/local.ts'
import { type Timings, USUAL_TIMINGS } from './platform/timings.ts'

const WEB_ROOT = join(import.meta.dirname, '../../web/dist')

export interface Program {
  readonly app: App
  /** Takes up work: what a crash left, and the broadcasts that should be on air. */
  start(): Promise<void>
  /** Ends cleanly; broadcasts end too and go on at the next start. */
  close(): Promise<void>
}

/** Puts the parts together: the only place that knows which database, queue and storage are in use. */
export async function createProgram(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  changedTimings: Partial<Timings> = {},
): Promise<Program> {
  const timings = { ...USUAL_TIMINGS, ...changedTimings }
  await prepareDataDir(config.dataDir)
  await assertRestored(config.dataDir)
  const tools = toolsOf(config)
  await assertToolsRun(tools)
  const isWeb = config.role !== 'worker'
  const isWorker = config.role !== 'web'
  const lock = isWorker ? await lockFolder(config.dataDir) : null
  const { db, sealer, keepWritten, reserve } = await openMigrated(config, log, anySealedKey)
  const events = createEvents()
  const storage = createLocalStorage(join(config.dataDir, 'media'))
  const queue = await openQueue(config.redisUrl, log, timings)
  const sharedCounters = await openCounters(isWeb ? config.redisUrl : null, log)

  const machine = watchMachine(config.machineLimits)

  const { dataDir, ffmpegPath, ffprobePath, publicUrl } = config
  const egress = createEgress(config)
  const sourceProxy = createSourceProxy({ dataDir, settings: config, log })
  const activity = createActivity({ db, clock })
  const mailer = await openMailer(isWeb ? config.mail : null, log, timings)
  const identity = createIdentity({
    db,
    sealer,
    clock,
    log,
    publicUrl,
    mailer,
    brand: config.brandName,
    timings,
    activity: activity.service,
  })
  const plans = createPlans({
    db,
    clock,
    trialDays: config.trialDays,
    enforced: config.enforcePlans,
    most: config.mostPerUser,
  })
  const platforms = createPlatforms({
    db,
    sealer,
    clock,
    events,
    log,
    egress,
    timings,
    accounts: createAccountBook({ db, sealer }),
    assertAccess: plans.service.assertAccess,
    keyMarkOf: identity.users.keyMarkOf,
    bigoApiUrl: config.bigoApiUrl,
    streamlabsApiUrl: config.streamlabsApiUrl,
  })
  const system = createSystem({ dataDir, log })
  const articles = createArticles({ db })
  const library = createLibrary({
    db,
    storage,
    queue,
    clock,
    events,
    log,
    sealer,
    dataDir,
    ffmpegPath,
    ffprobePath,
    egress,
    diskReserveBytes: () => config.diskReserveBytes + (reserve?.missingBytes() ?? 0),
    limitsOf: plans.service.libraryLimitsOf,
    roomPlanOf: plans.service.roomPlanOf,
    toBeCleared: plans.service.toBeCleared,
    async noteCleared(userId) {
      await plans.service.noteCleared(userId)
      await activity.service.record({ userId, kind: 'videos-cleared', visitor: null })
    },
    timings,
    keepWritten,
    mayWork: plans.service.mayWork,
    isAlone: config.role === 'all',
  })
  // With Redis another worker would start what still runs here.
  const keepOnExit = config.keepStreamsOnExit && config.redisUrl === null
  const runDir = isWorker ? await prepareRunDir(dataDir) : ''
  const streams = createStreams({
    db,
    queue,
    library: library.service,
    platforms,
    plans: plans.service,
    sealer,
    clock,
    events,
    log,
    dataDir,
    runDir,
    ffmpegPath,
    ffprobePath,
    maxStreams: config.maxStreamsPerWorker,
    soleWorker: config.role === 'all',
    machineShortage: machine.shortage,
    sessionLimits: config.sessionLimits,
    keepOnExit,
    egress,
    timings,
    sourceProxy,
    maxRelayEncodes: config.maxRelayEncodes,
  })
  const accounts = createAccounts({
    db,
    sealer,
    clock,
    activity: activity.service,
    check: platforms.checkAccount,
    isInUse: streams.service.isAccountInUse,
  })
  const accountRemovals = createAccountRemovals({
    users: identity.users,
    ownAccount: identity.ownAccount,
    clock,
    log,
    timings,
    owned: {
      stopStreams: streams.stopAllOf,
      endBroadcasts: platforms.broadcasts.endAllOf,
      eraseFiles: library.eraseUser,
    },
  })
  const housekeeping = createHousekeeping({ db, clock, log, timings })
  const activityScreen = createActivityScreen({ activity: activity.service, streams: streams.service, clock })

  /** Started in this order, and ended in the opposite one: whoever gathers from others comes after them. */
  const modules: readonly Module[] = [
    identity,
    plans,
    platforms,
    system,
    articles,
    library,
    streams,
    accounts,
    accountRemovals,
    housekeeping,
    activityScreen,
  ]

  let hasStarted = !isWorker
  const stopReserve = reserve?.keep(log)
  const app = await buildApp({
    log,
    plans: plans.service,
    callerHooks: (counting) =>
      createCallerHooks(identity.service, { ...counting, assertAccess: plans.service.assertAccess }),
    modules: isWeb ? modules : [],
    readinessChecks: [
      { name: 'database', check: () => pingDatabase(db) },
      { name: 'disk', check: async () => reserve?.assertWritable() },
      { name: 'queue', check: () => queue.ping() },
      ...tools,
      { name: 'start', check: async () => assertStarted(hasStarted) },
    ],
    metrics: {
      events,
      streamsByPhase: streams.countByPhase,
      jobCounts: queue.counts,
      token: config.metricsToken,
      behindProxy: config.trustProxy.length > 0,
    },
    webRoot: isWeb ? WEB_ROOT : null,
    publicUrl,
    trustProxy: config.trustProxy,
    mostBroadcasts: isWorker ? config.maxStreamsPerWorker : 0,
    timings,
    sharedCounters,
    keepWritten,
    assertRoomForMore: async () => reserve?.assertWhole(),
    publicSettings: {
      brand: config.brandName,
      whatsappNumber: config.whatsappNumber,
      trialDays: config.trialDays,
      videoServiceUrl: config.videoServiceUrl,
      sendsMail: config.mail !== null,
    },
  })

  // Before anybody can call: what lies half-sent now was left by an earlier run, and later it would be somebody's upload.
  if (isWeb) await library.startWeb()

  return {
    app,
    async start() {
      if (isWorker) for (const module of modules) await module.start?.()
      hasStarted = true
      // After the broadcasts: looking into what was sent before a restart may take long.
      if (isWeb) library.takeUpUploads()
    },
    async close() {
      await app.close()
      await mailer?.close()
      await stopReserve?.()
      for (const module of modules.toReversed()) await module.stop?.()
      machine.stop()
      await queue.close()
      sharedCounters?.close()
      await sourceProxy.close({ runsOn: keepOnExit })
      // Not empty while broadcasts run on.
      if (isWorker) await rmdir(runDir).catch(() => {})
      await db.destroy()
      await giveDataToOwner(dataDir)
      await lock?.release()
    },
  }
}

/** Whoever is told that it is ready may rely on its having taken up what an earlier run left. */
function assertStarted(hasStarted: boolean): void {
  if (!hasStarted) throw new OperationalError('what an earlier run left is still being taken up')
}

interface Tool {
  readonly name: string
  readonly setting: string
  readonly path: string
  readonly check: () => Promise<void>
}

const toolsOf = ({ ffmpegPath, ffprobePath }: Config): Tool[] => [
  { name: 'ffmpeg', setting: 'FFMPEG_PATH', path: ffmpegPath, check: createToolCheck(ffmpegPath) },
  { name: 'ffprobe', setting: 'FFPROBE_PATH', path: ffprobePath, check: createToolCheck(ffprobePath) },
]

/** Without them nothing can be looked at or sent: better said now than at the first upload. */
async function assertToolsRun(tools: readonly Tool[]): Promise<void> {
  const looks = await Promise.allSettled(tools.map(({ check }) => check()))
  const faults = tools.filter((_, index) => looks[index]?.status === 'rejected')
  if (faults.length > 0) throw new BootError(faults.map(({ setting, path }) => `${setting} ${path} cannot be run`))
}
