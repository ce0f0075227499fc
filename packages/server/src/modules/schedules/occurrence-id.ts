import { createHash } from 'node:crypto'

/**
 * The id of an occurrence and of the broadcast that it starts: always the same for one schedule and instant. A second start of it meets
 * the row of the first, whoever tries and whatever has crashed in between.
 */
export function occurrenceId(scheduleId: string, dueAt: number): string {
  const hex = createHash('sha256').update(`${scheduleId} ${dueAt}`).digest('hex')
  // The form of a UUID of version 8, 'custom', as RFC 9562 has it.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
