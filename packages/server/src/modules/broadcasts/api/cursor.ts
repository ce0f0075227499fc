import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import { DomainError } from '../../../errors.ts'
import type { PageStart } from '../store/streams.repo.ts'

/** Where a list goes on, as a word that its reader hands back. */
export const cursorAfter = ({ createdAt, id }: PageStart): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')

/** Refuses what was no cursor of ours. */
export function readCursor(cursor: string): PageStart {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Number.isSafeInteger(createdAt) && typeof id === 'string' && !id.includes('\0')) return { createdAt, id }
  } catch {
    // As below.
  }
  throw new DomainError('invalid_input', BROADCAST_TEXTS.cursorInvalid)
}
