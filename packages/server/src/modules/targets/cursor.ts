import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import { DomainError } from '../../errors.ts'

/** Where a page ended, for the caller who asks for the next one: nothing to read or to make up. */
export const toCursor = (nameKey: string): string => Buffer.from(nameKey, 'utf8').toString('base64url')

export function fromCursor(cursor: string): string {
  const nameKey = Buffer.from(cursor, 'base64url').toString('utf8')
  // Neither other text nor half a character comes back as it was; a database refuses NUL.
  if (nameKey === '' || toCursor(nameKey) !== cursor || nameKey.includes('\0')) {
    throw new DomainError('invalid_input', TARGET_TEXTS.cursorInvalid)
  }
  return nameKey
}
