import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** Pages of the log that are worth a look at the file. */
const FEW_PAGES = 250
const LOOK_EVERY_MS = 100

interface ThreadData {
  readonly driver: string
  readonly file: string
  readonly fewPages: number
  readonly lookEveryMs: number
}

/** What one look at the log says, in pages. */
interface LogLength {
  readonly log: number
  readonly checkpointed: number
}

/** The body of the thread, handed over as text as that of the loop's watchdog is: it may use nothing of this module. */
function thread(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { driver, file, fewPages, lookEveryMs } = workerData as ThreadData
  const Sqlite = process.getBuiltinModule('node:module').createRequire(driver)(driver)
  const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  sqlite.pragma('synchronous = NORMAL')
  const looking = setInterval(() => {
    try {
      const [{ log, checkpointed }] = sqlite.pragma('wal_checkpoint(NOOP)') as [LogLength]
      if (log - checkpointed >= fewPages) sqlite.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // A full disk, or another program that has the file to itself: the next look may find it otherwise.
    }
  }, lookEveryMs)
  parentPort?.once('message', () => {
    clearInterval(looking)
    sqlite.close()
  })
}

/** Once the log has so many pages, a commit takes into the file what the thread has left of it, and the log begins anew. */
export const LONG_LOG_PAGES = 4_000

/**
 * SQLite takes what was written from its log into the file in the commit that makes the log long: a thousand pages and two calls of `fsync`,
 * which hold the event loop for forty milliseconds, and on a slow disk far longer. Here a thread does it, a little at a time. It never waits
 * for who writes, nor they for it. A log to which somebody always adds would grow for ever that way, and what is left for the commit that
 * ends it takes a moment.
 */
export function startCheckpoints(file: string): { stop(): Promise<void> } {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3')
  const workerData: ThreadData = { driver, file, fewPages: FEW_PAGES, lookEveryMs: LOOK_EVERY_MS }
  const worker = new Worker(`(${thread.toString()})()`, {
    eval: true,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
    env: {},
    execArgv: [],
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  // Without it the commits do all of it, as they would by themselves.
  worker.on('error', (error) => process.stderr.write(`The thread for SQLite's log has ended: ${error.message}\n`))
  worker.unref()
  return {
    async stop() {
      worker.postMessage('stop')
      await ended
    },
  }
}
