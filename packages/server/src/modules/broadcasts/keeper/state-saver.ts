import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../platform/log.ts'
import type { RecordedEvent, StreamChange } from '../store/streams.repo.ts'

interface StateSaverDeps {
  streamId: string
  log: Log
  /** False: another worker has the stream now, and nothing was written. */
  write: (change: StreamChange, events: readonly RecordedEvent[]) => Promise<boolean>
}

export type StateSaver = ReturnType<typeof createStateSaver>

/** How long a broadcast waits for its state to be written before it goes on: a locked database takes nothing off air. */
const PATIENCE_MS = 300
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 2_000

/** Writes the newest state, in order, as soon as the database takes it. */
export function createStateSaver({ streamId, log, write }: StateSaverDeps) {
  let unsaved: StreamChange | null = null
  let events: RecordedEvent[] = []
  let writing: Promise<void> | null = null
  let fenced = false

  async function writeAll(): Promise<void> {
    let retryMs = FIRST_RETRY_MS
    while (unsaved && !fenced) {
      const change = unsaved
      const told = events
      try {
        fenced = !(await write(change, told))
        events = events.slice(told.length)
        if (unsaved === change) unsaved = null
      } catch (error) {
        const { message } = error as Error
        log.warn({ err: message, streamId, retryMs }, 'the state of a stream could not be written, trying again')
        await sleep(retryMs)
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
      }
    }
    writing = null
  }

  return {
    /** A later state overtakes one that could not be written; what occurred and what plays now are never left out. */
    async save(change: StreamChange, occurred: readonly RecordedEvent[] = []): Promise<void> {
      unsaved = { ...change, swappedTo: change.swappedTo ?? unsaved?.swappedTo }
      events = [...events, ...occurred]
      writing ??= writeAll()
      await Promise.race([writing, sleep(PATIENCE_MS, undefined, { ref: false })])
    },
    /** Until everything is written, or `signal` says that there is no more time. Answers whether it is. */
    async flush(signal: AbortSignal): Promise<boolean> {
      const given = new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      if (writing) await Promise.race([writing, given])
      return unsaved === null
    },
    isFenced: () => fenced,
    fence(): void {
      fenced = true
    },
  }
}
