import { createHash } from 'node:crypto'

/**
 * The id of an occurrence and of the first broadcast that it starts: always the same for one schedule and instant. A second start of it
 * meets the row of the first, no matter who tries and what has crashed in between.
 */
export const occurrenceId = (scheduleId: string, dueAt: number): string => idFrom(`${scheduleId} ${dueAt}`)

/** The broadcast of this attempt. The next attempt begins only when this one is over and was never on air. */
export const broadcastIdOf = ({ id, attempt }: { readonly id: string; readonly attempt: number }): string =>
  attempt === 0 ? id : idFrom(`${id} ${attempt}`)

/** The form of a UUID of version 8, 'custom', as RFC 9562 has it. */
function idFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
