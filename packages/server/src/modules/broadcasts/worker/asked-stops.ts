import type { Events } from '../../../platform/events/events.ts'
import type { Log } from '../../../platform/log.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'

interface AskedStopsDeps {
  repo: Pick<StreamsRepo, 'byId'>
  events: Events
  log: Log
  worker: string
  /** Whether there is no other. */
  soleWorker: boolean
  isKept: (streamId: string) => boolean
  /** What an earlier run of the program left on air. */
  leftOf: (row: StreamRow) => BroadcastProcess | null
}

/**
 * Stops that no row may have: a disk without any room takes neither the wish nor the claim of a worker who would carry it out. They count
 * for as long as the program runs, and what an earlier run left on air is ended without a claim.
 */
export function createAskedStops({ repo, events, log, isKept, leftOf, ...deps }: AskedStopsDeps) {
  /** With their causes. */
  const asked = new Map<string, string | null>()
  const isOthers = ({ worker }: StreamRow): boolean => !deps.soleWorker && worker !== null && worker !== deps.worker

  async function endLeft(streamId: string): Promise<void> {
    const row = await repo.byId(streamId)
    if (!row || row.phase === 'ended') return void asked.delete(streamId)
    // Only its own worker knows when it is off air. Here a wish that found no row would end it if it came here much later.
    if (isOthers(row)) return void asked.delete(streamId)
    await leftOf(row)?.stop()
    events.emit('stream.changed', { streamId, userId: row.user_id, phase: 'ended', reason: null })
  }

  /** To be called when a claim has failed: while it was tried, nobody heard of a Stop. */
  async function carryOut(streamId: string): Promise<void> {
    if (!asked.has(streamId)) return
    await endLeft(streamId).catch((error) => {
      log.error({ err: error, streamId }, 'a broadcast could not be stopped')
      // Another worker may keep it, and who asked was told that it failed: it must not end in silence when it comes here days later.
      if (!deps.soleWorker) asked.delete(streamId)
    })
  }

  return {
    carryOut,
    has: (streamId: string): boolean => asked.has(streamId),
    /** The row as it would be if the Stop had been written. */
    writtenIn: (row: StreamRow): StreamRow =>
      asked.has(row.id) ? { ...row, desired: 'stopped', end_cause: asked.get(row.id) ?? row.end_cause } : row,
    forget: (streamId: string): void => void asked.delete(streamId),
    /** Answers how to stop listening. */
    listen: (): (() => void) =>
      events.on('stream.stop-asked', ({ streamId, cause = null }) => {
        asked.set(streamId, cause)
        if (!isKept(streamId)) void carryOut(streamId)
      }),
  }
}
