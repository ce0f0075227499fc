import type { Config } from '../config.ts'
import { anySealedKey } from '../modules/identity/sealed-sample.ts'
import type { RemoteUploads } from '../modules/library/resumable/resumable-uploads.ts'
import { assertNotMoved } from '../platform/backup/move-database.ts'
import { assertRestored } from '../platform/backup/restore-backup.ts'
import type { Clock } from '../platform/clock.ts'
import { createClockTrust } from '../platform/clock-trust.ts'
import { prepareDataDir, prepareRunDir } from '../platform/data-dir.ts'
import type { Db } from '../platform/db/database.ts'
import { openMigrated } from '../platform/db/open-migrated.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { createSourceProxy } from '../platform/egress/source-proxy.ts'
import { createEvents } from '../platform/events/events.ts'
import type { Log } from '../platform/log.ts'
import { openCounters, openMailer, openQueue, openStorage } from '../platform/optional-parts.ts'
import { lockFolder } from '../platform/process/folder-lock.ts'
import { watchMachine } from '../platform/process/machine-load.ts'
import { createSpawner } from '../platform/process/spawner.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Timings } from '../platform/timings.ts'
import { loadWorkerId } from '../platform/worker-id.ts'
import { assertFenceable, isFenced, openFence } from './fence.ts'
import { assertStoreFilled } from './filled-store.ts'
import { openFleet } from './fleet.ts'
import { assertOnlyKeeper } from './only-keeper.ts'
import { assertToolsRun, toolsOf } from './tools.ts'

interface PlatformSettings {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly timings: Timings
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>

/** Opens what the modules stand on. What may refuse the boot comes first: nothing is migrated in a folder that another worker holds. */
export async function openPlatform({ config, log, clock, timings }: PlatformSettings) {
  const { dataDir, redisUrl } = config
  await prepareDataDir(dataDir)
  await assertRestored(dataDir)
  assertNotMoved(config)
  const tools = toolsOf(config)
  await assertToolsRun(tools)
  const fencing = isFenced(config)
  if (fencing) await assertFenceable()
  const isWeb = config.role !== 'worker'
  const isWorker = config.role !== 'web'
  const isMany = config.databaseUrl !== null && redisUrl !== null
  const lock = isWorker ? await lockFolder(dataDir) : null
  const store = await openStorage(config, log)
  const workerId = await loadWorkerId(config, log)
  const { db, sealer, changes, keepWritten, reserve } = await openMigrated(config, log, anySealedKey)
  await assertOnlyKeeper({ config, db, workerId, clock })
  await assertStoreFilled(config, store, db)
  const remote = config.s3 ? await openRemote({ s3: config.s3, db, storage: store, clock, log, timings }) : null
  // One program alone needs none in Redis: a lock there has to be renewed by the event loop, which may stand still for a while.
  const queue = await openQueue(isMany ? redisUrl : null, log, timings)
  const sharedCounters = await openCounters(isWeb ? redisUrl : null, log)
  const machine = watchMachine(config.machineLimits)
  // Also of a worker: reports of a month go out from there.
  const mailer = await openMailer(config.mail, log, timings)
  const runDir = isWorker ? await prepareRunDir(dataDir) : ''
  const warden = fencing ? await openFence({ runDir, dataDir, log }) : null
  return {
    ...{ config, log, clock, timings, tools, isWeb, isWorker, lock, workerId },
    ...{ db, sealer, changes, keepWritten, reserve, queue, sharedCounters, machine, mailer },
    /** One for the whole program: several would differ in what they have seen the clock do. */
    trust: createClockTrust({ db, clock, log, timings }),
    storage: remote?.storage ?? store,
    remoteUploads: remote?.uploads ?? null,
    removals: remote?.storage.removals ?? null,
    events: createEvents(),
    egress: createEgress(config),
    sourceProxy: createSourceProxy({ dataDir, settings: config, log }),
    ...{ runDir, fencing, warden, isMany, processes: warden ?? createSpawner({ dataDir, log }) },
    /** No other program works with this database: what lies half-done at its start is nobody else's. */
    isAlone: config.role === 'all' && !isMany,
    fleet: warden && (await openFleet(config, log, warden)),
    // Another worker would start what still runs here.
    keepOnExit: config.keepStreamsOnExit && !isMany,
  }
}

interface RemoteDeps {
  readonly s3: NonNullable<Config['s3']>
  readonly db: Db
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly timings: Timings
}

/** What a store that all machines see needs beside it. Loaded where there is one. */
async function openRemote({ s3, ...deps }: RemoteDeps) {
  const { withRetriedRemovals } = await import('../platform/storage/retried-removals.ts')
  const { TusS3Store } = await import('../modules/library/resumable/tus-s3-store.ts')
  const { createUploadLocks } = await import('../modules/library/resumable/upload-locks.ts')
  const uploads: RemoteUploads = {
    createStore: (needs) => new TusS3Store(s3, needs),
    locker: createUploadLocks(deps.db),
  }
  return { storage: withRetriedRemovals({ ...deps, timings: deps.timings.storageRemovals }), uploads }
}
