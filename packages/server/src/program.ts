import { rmdir } from 'node:fs/promises'
import type { Config } from './config.ts'
import type { App } from './http/types.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { giveDataToOwner } from './platform/data-dir.ts'
import type { Log } from './platform/log.ts'
import { type Timings, USUAL_TIMINGS } from './platform/timings.ts'
import { createApp } from './program/create-app.ts'
import { createModules } from './program/create-modules.ts'
import { openPlatform } from './program/open-platform.ts'

export interface Program {
  readonly app: App
  /** Takes up work: what a crash left, and the broadcasts that should be on air. */
  start(): Promise<void>
  /** Moves broadcasts to other workers, where there are any, until `signal` says that there is no more time. */
  drain(signal: AbortSignal): Promise<void>
  /** Ends cleanly; broadcasts end too and go on at the next start. */
  close(): Promise<void>
}

/** Puts the parts together: only this file and `program/` know which database, queue and storage are in use. */
export async function createProgram(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  changedTimings: Partial<Timings> = {},
): Promise<Program> {
  const platform = await openPlatform({ config, log, clock, timings: { ...USUAL_TIMINGS, ...changedTimings } })
  const { isWeb, isWorker } = platform
  const modules = createModules(platform)
  let hasStarted = !isWorker
  const stopReserve = platform.reserve?.keep(log)
  const app = await createApp(platform, modules, () => hasStarted)

  // Before anybody can call: what lies half-sent now was left by an earlier run, and later it would be somebody's upload.
  if (isWeb) await modules.library.startWeb()

  return {
    app,
    async start() {
      if (isWorker) for (const module of modules.inOrder) await module.start?.()
      hasStarted = true
      platform.removals?.start()
      // After the broadcasts: what an earlier run left of the library may take long.
      if (isWeb) modules.library.resumeWeb()
    },
    drain: (signal) => modules.streams.drain(signal),
    async close() {
      const { mailer, machine, queue, sharedCounters, sourceProxy, warden, fleet, keepOnExit, runDir, db, lock } =
        platform
      await app.close()
      await stopReserve?.()
      await platform.removals?.stop()
      for (const module of modules.inOrder.toReversed()) await module.stop?.()
      await mailer?.close()
      machine.stop()
      await queue.close()
      sharedCounters?.close()
      await sourceProxy.close({ runsOn: keepOnExit })
      await warden?.close({ runsOn: keepOnExit })
      // Not empty while broadcasts run on.
      if (isWorker) await rmdir(runDir).catch(() => {})
      await fleet?.close()
      await db.destroy()
      await giveDataToOwner(config.dataDir)
      await lock?.release()
    },
  }
}
