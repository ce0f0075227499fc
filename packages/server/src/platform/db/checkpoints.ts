import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type SqliteDatabase from 'better-sqlite3'

/** Once the log has so many pages, a commit takes into the file what the thread has left of it, and the log begins anew. See database-reserve.ts. */
export const LONG_LOG_PAGES = 1_500
/** A shorter log is not worth a thread. */
const SHORT_LOG_PAGES = 1_000
const FEW_PAGES = 250
const LOOK_EVERY_MS = 100
/** A thread takes some ten megabytes, which a program that hardly writes does without. */
const IDLE_MS = 5_000
/** Meanwhile the commits do all of it, as they would by themselves. */
const FAILED_FOR_MS = 60_000
/** A log that a long-running reader made longer than this is truncated to it when SQLite starts it over. */
const LOG_KEPT_BYTES = 8_000_000

export interface Checkpoints {
  /** Something has been written. */
  noteWrite(): void
  stop(): Promise<void>
}

/**
 * SQLite takes what was written from its log into the file in the commit that makes the log long: a thousand pages and two calls of `fsync`,
 * which hold the event loop for forty milliseconds, and on a slow disk far longer. Here a thread does it, a little at a time. It never waits
 * for who writes, nor they for it. A log to which somebody always adds would grow for ever that way, so the commit that makes it long still
 * ends it: few pages are left for it, but both calls of `fsync`. A disk that is slow at those is as slow here, only less often.
 *
 * While the thread is at it, a commit cannot end the log. So it is asked for one pass at a time, and for none once the log is long: on a disk
 * that takes longer for a pass than a second one takes to be asked for, the log would never end, and fill the disk.
 */
export function createCheckpoints(writer: SqliteDatabase.Database, file: string, begin = startThread): Checkpoints {
  writer.pragma(`wal_autocheckpoint = ${LONG_LOG_PAGES}`)
  writer.pragma(`journal_size_limit = ${LOG_KEPT_BYTES}`)
  let thread: Thread | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  let lastLog = 0
  let timer: NodeJS.Timeout | null = null

  function noteWrite(): void {
    timer ??= setTimeout(look, LOOK_EVERY_MS).unref()
  }

  function look(): void {
    timer = null
    // SQLite does not tell its length within a transaction.
    if (writer.inTransaction || thread?.isTaking()) {
      noteWrite()
      return
    }
    // What the thread leaves, since somebody reads an older state, is looked at with the next write.
    const { log, checkpointed } = lengthOf(writer)
    // Nothing more has come, or nothing can, since the disk is full: all of it in the file, the log begins anew.
    const isQuiet = log === lastLog && log > checkpointed
    lastLog = log
    const isMuch = log - checkpointed >= FEW_PAGES && log < LONG_LOG_PAGES
    if (log < SHORT_LOG_PAGES || !(isMuch || isQuiet)) return
    if (performance.now() - failedAt < FAILED_FOR_MS) return
    try {
      thread ??= begin(file, (error) => {
        thread = null
        if (error) failedAt = performance.now()
      })
      thread.take()
    } catch {
      // The machine has no thread left for us.
      failedAt = performance.now()
    }
  }

  return {
    noteWrite,
    async stop() {
      if (timer) clearTimeout(timer)
      await thread?.stop()
    },
  }
}

function lengthOf(writer: SqliteDatabase.Database): { log: number; checkpointed: number } {
  try {
    const [found] = writer.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
    if (found) return found
  } catch {
    // Another program has the file to itself. The next write looks again.
  }
  return { log: 0, checkpointed: 0 }
}

interface ThreadData {
  readonly driver: string
  readonly file: string
  readonly idleMs: number
}

/** The body of the thread, handed over as text as that of the loop's watchdog is: it may use nothing of this module. */
function thread(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { driver, file, idleMs } = workerData as ThreadData
  const Sqlite = process.getBuiltinModule('node:module').createRequire(driver)(driver)
  const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  sqlite.pragma('synchronous = NORMAL')
  const end = () => {
    clearTimeout(idle)
    parentPort?.close()
    sqlite.close()
  }
  const idle = setTimeout(end, idleMs)
  parentPort?.on('message', (wish: 'take' | 'stop') => {
    if (wish === 'stop') return end()
    idle.refresh()
    try {
      sqlite.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // The disk is full, or another program has the file to itself: it is asked for again.
    }
    parentPort?.postMessage('taken')
  })
}

interface Thread {
  take(): void
  /** It was asked for a pass, and has not said that it is done. */
  isTaking(): boolean
  stop(): Promise<void>
}

function startThread(file: string, onEnd: (error: Error | null) => void): Thread {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3')
  const workerData: ThreadData = { driver, file, idleMs: IDLE_MS }
  const worker = new Worker(`(${thread.toString()})()`, {
    eval: true,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
    env: {},
    execArgv: [],
  })
  let isTaking = false
  worker.on('message', () => {
    isTaking = false
  })
  let failure: Error | null = null
  worker.on('error', (error: Error) => {
    failure = error
    process.stderr.write(`The thread for SQLite's log has ended: ${error.message}\n`)
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  void ended.then(() => onEnd(failure))
  worker.unref()
  return {
    take() {
      isTaking = true
      worker.postMessage('take')
    },
    isTaking: () => isTaking,
    async stop() {
      worker.ref()
      worker.postMessage('stop')
      await ended
    },
  }
}
