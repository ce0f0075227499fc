import { recordingEndText } from '@siarin/contracts/recording-texts'
import type { Recording, RecordingPart } from '@siarin/contracts/recordings'
import { streamReasonText } from '@siarin/contracts/stream-reason-texts'
import type { Part } from './parts.ts'
import { nameOf, type RecordingRow } from './recordings.repo.ts'
import { goesAt } from './retention.ts'
import type { Summary } from './summary.ts'

const isoOf = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))

/** `growing`: how far one is that is being made. */
export function toRecording(
  row: RecordingRow,
  growing: Pick<Summary, 'ms' | 'bytes' | 'interruptions'> | null,
): Recording {
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

export const toPart = ({ at, until, fromMs, ms, interruption, folded }: Part): RecordingPart => ({
  at: isoOf(at),
  until: isoOf(until),
  from: fromMs / 1000,
  seconds: ms / 1000,
  interruption: interruption === null ? null : streamReasonText(interruption),
  folded,
})

/** By title and date; without what file systems do not like. */
export function filenameOf(row: RecordingRow): string {
  const name = nameOf(row)
    .toWellFormed()
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    .replace(/[/\\:*?"<>|]/g, '_')
  // By code points: half an emoji cannot be put into a header.
  return `${[...name].slice(0, 100).join('')} ${new Date(row.from_at).toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')}`
}
