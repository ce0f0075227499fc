import { syncToDisk } from '../storage/durable.ts'

/** What was written to the database before the call outlives a power cut once it is answered. */
export type KeepWritten = () => Promise<void>

/**
 * SQLite leaves the write-ahead log to the system (`synchronous = NORMAL`): with FULL each of the thousand small writes that a start of 500
 * broadcasts makes would hold up the whole program for a millisecond or two. So a caller that promises something has the log written to the
 * disk, beside the program; all who ask while one such call runs share the next. PostgreSQL does it by itself.
 */
export function createKeepWritten(databaseFile: string): KeepWritten {
  const log = `${databaseFile}-wal`
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  const begin = (): Promise<void> => {
    running = sync().finally(() => {
      running = null
    })
    return running
  }

  async function sync(): Promise<void> {
    try {
      await syncToDisk(log)
    } catch (error) {
      // Nothing has been written since somebody else tidied it up.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  return () => {
    if (!running) return begin()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        return begin()
      })
    return next
  }
}

export const keptByItself: KeepWritten = async () => {}
