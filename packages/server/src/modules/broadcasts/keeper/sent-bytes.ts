import type { Events } from '../../../platform/events/events.ts'

/** Counts what leaves the machine, from what ffmpeg says it has sent since its start. */
export function createSentBytes(events: Pick<Events, 'emit'>) {
  let counted: number | null = null
  return {
    /** What an adopted process had sent before was counted before. */
    begin(isAdopted: boolean): void {
      counted = isAdopted ? null : 0
    },
    count(totalBytes: number | null): void {
      if (totalBytes === null) return
      events.emit('stream.sent', { bytes: Math.max(0, totalBytes - (counted ?? totalBytes)) })
      counted = totalBytes
    },
  }
}
