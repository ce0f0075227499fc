import type { StreamRowData } from '../broadcasts/api/active-streams.ts'
import { shownPhase } from '../broadcasts/stream-words.ts'

/** How things stand, in one sentence below the greeting. */
export function broadcastWords(streams: readonly StreamRowData[]): string {
  if (streams.length === 0) return 'Belum ada siaran yang tayang.'
  const onAir = streams.filter(({ state }) => state === 'live').length
  const waiting = streams.filter((stream) => shownPhase(stream) === 'waiting').length
  const parts = [
    onAir > 0 && `${onAir} siaran tayang`,
    waiting > 0 && `${waiting} menyambung ulang`,
    streams.length > onAir + waiting && `${streams.length - onAir - waiting} dalam proses`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}
