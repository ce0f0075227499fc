import { recordingEndText } from '@siarin/contracts/recording-texts'
import type { Recording, RecordingPart } from '@siarin/contracts/recordings'
import { streamReasonText } from '@siarin/contracts/stream-reason-texts'
import type { Summary } from './material.ts'
import type { RecordingRow } from './recordings.repo.ts'
import { goesAt } from './retention.ts'
import type { Part } from './slices.ts'

const isoOf = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))

/** `growing`: how far one is that is being made. */
export function toRecording(row: RecordingRow, growing: Summary | null): Recording {
  const { ms, bytes, interruptions } = growing ?? row
  return {
    recordingId: row.id,
    broadcastId: row.broadcast_id,
    title: row.title,
    sourceName: row.source,
    online: row.online === 1,
    state: row.to_at === null ? 'recording' : 'ready',
    startedAt: isoOf(row.from_at),
    endedAt: isoOrNull(row.to_at),
    seconds: ms / 1000,
    size: Math.round(bytes),
    interruptions,
    endedWhy: row.ended_why === null ? null : recordingEndText(row.ended_why),
    keptUntil: isoOrNull(goesAt(row)),
    hasPicture: ms > 0,
  }
}

export const toPart = ({ at, fromMs, ms, interruption }: Part): RecordingPart => ({
  at: isoOf(at),
  from: fromMs / 1000,
  seconds: ms / 1000,
  interruption: interruption === null ? null : streamReasonText(interruption),
})

/** RFC 6266: an ASCII form for old clients and the true name in UTF-8. */
export function attachedAs(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const utf8 = encodeURIComponent(filename).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`
}
