import { EventEmitter } from 'node:events'

/**
 * Wakes others in this program; the row is written before. A listener reads the row, which is the truth, and looks for itself now and
 * then: an event reaches no other program, and a crash loses it. What must not get lost is written to the outbox.
 * Two rely on what the event says. A Stop on a disk without any room has no row (asked-stops.ts, `hearEnd` of streams.service.ts), and
 * the operator's counters (metrics.ts) begin anew with each start of the program anyway.
 */
interface EventMap {
  /** `cause`: where it is not its owner who wants it. */
  'stream.stop-asked': { streamId: string; cause?: string | null }
  /** To be ended at the end of the pass. */
  'stream.end-asked': { streamId: string }
  'stream.swap-asked': { streamId: string }
  /** `reason`: why it waits, as one word. */
  'stream.changed': { streamId: string; userId: string; phase: string; reason: string | null }
  /** Towards a target, since it was last told. */
  'stream.sent': { bytes: number }
  'video.removed': { videoId: string }
  'video.ready': { videoId: string; userId: string }
}

export interface Events {
  emit<K extends keyof EventMap>(name: K, payload: EventMap[K]): void
  on<K extends keyof EventMap>(name: K, listener: (payload: EventMap[K]) => void): () => void
}

export function createEvents(): Events {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  return {
    emit: (name, payload) => void emitter.emit(name, payload),
    on(name, listener) {
      emitter.on(name, listener)
      return () => emitter.off(name, listener)
    },
  }
}
