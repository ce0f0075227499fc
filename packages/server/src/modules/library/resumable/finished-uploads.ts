import type { Upload } from '@tus/server'
import { createFairTurns } from '../../../platform/fair-turns.ts'
import type { Log } from '../../../platform/log.ts'
import { repeat } from '../../../platform/repeat.ts'
import type { UploadStore } from './upload-store.ts'

interface FinishedDeps {
  store: Pick<UploadStore, 'ids' | 'completeOf' | 'leftComplete'>
  log: Log
  ownerOf: (uploadId: string) => string
  /** False: a request is at it, or it was postponed. */
  mayFinish: (uploadId: string) => boolean
  finish: (upload: Upload) => Promise<void>
  forget: (uploadId: string) => Promise<void>
  /** How often they are polled; a sender of just now finishes its own, perhaps at another program on this folder. */
  everyMs: number
}

/** Beside what is being sent now: no more than that, however many a restart finds. */
const AT_ONCE = 2

/**
 * Uploads whose every byte is here and that no request finishes any more: a crash, a restart or a full queue came in between. For their
 * sender they are complete, so nobody asks again. Inspecting each may take minutes, so nobody waits for it, least of all a start.
 */
export function createFinishedUploads(deps: FinishedDeps) {
  const { store, log, ownerOf, mayFinish, finish, forget, everyMs } = deps
  const inTurn = createFairTurns({ atOnce: AT_ONCE, mostWaiting: Infinity, mostWaitingEach: Infinity })
  const waiting = new Set<string>()
  let left: string[] = []
  let stopPolling = async () => {}
  let stopped = false

  async function finishInTurn(uploadId: string): Promise<void> {
    if (waiting.has(uploadId) || !mayFinish(uploadId)) return
    waiting.add(uploadId)
    try {
      await inTurn(ownerOf(uploadId), async () => {
        // Its sender may have finished or cancelled it meanwhile.
        const upload = stopped ? null : await store.completeOf(uploadId)
        if (upload) await finish(upload)
      })
    } catch (error) {
      log.warn({ err: error, upload: uploadId }, 'a finished upload did not become a video')
    } finally {
      waiting.delete(uploadId)
    }
  }

  async function poll(): Promise<void> {
    for (const uploadId of await store.ids()) {
      const upload = await store.completeOf(uploadId)
      const lastByteAt = Date.parse(upload?.creation_date ?? '')
      if (upload && !(Date.now() - lastByteAt < everyMs)) void finishInTurn(uploadId)
    }
  }

  return {
    /** Before anybody can call: what is there now was left by an earlier run. Inspects nothing yet. */
    async find(): Promise<void> {
      left = await store.leftComplete(forget)
    },
    /** Once the program has its broadcasts back: those that were found, and from now on those that nobody is at. */
    start(): void {
      for (const uploadId of left) void finishInTurn(uploadId)
      left = []
      const complaint = 'could not look for finished uploads'
      stopPolling = repeat({ firstAfterMs: everyMs, everyMs, log, complaint, work: poll })
    },
    isWaiting: (uploadId: string): boolean => waiting.has(uploadId),
    /** What is under way goes on for as long as the program does; the next start finds what did not come to its end. */
    async stop(): Promise<void> {
      stopped = true
      await stopPolling()
    },
  }
}
