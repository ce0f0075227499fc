import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { addressKey } from '../../http/address-key.ts'
import type { Visitor } from '../../http/visitor.ts'
import { createFairTurns, TooManyWaitError } from '../../platform/fair-turns.ts'
import { argon2At } from './argon2.ts'

/**
 * A hash takes 19 MiB for as long as it lasts: a flood of logins must not take the memory of a small machine. A caller behind those who wait
 * would wait for seconds: better told at once to come back. An account comes into its line even so, and is next after one of each of the others.
 */
const STRANGERS = { atOnce: 1, mostWaiting: 100, mostWaitingEach: 40 }
const KNOWN = { atOnce: 1, mostWaiting: 1_000, mostWaitingEach: 8 }
const COME_BACK_AFTER_SECONDS = 5

/** Who waits for a hash: one after the other has a turn. */
interface Applicant {
  readonly line: 'known' | 'strangers'
  readonly name: string
}

/** Has proved to belong to this account, or comes whence its owner came before. */
export const knownTo = (userId: string): Applicant => ({ line: 'known', name: userId })
export const stranger = ({ address }: Visitor): Applicant => ({ line: 'strangers', name: addressKey(address) })

export type Passwords = ReturnType<typeof createPasswords>

/**
 * argon2id. Once per program: the bounds count what goes through it.
 * Strangers have a line of their own, so that their flood takes no place from anybody else.
 */
export function createPasswords(argon2 = argon2At({})) {
  const lines = { known: createFairTurns(KNOWN), strangers: createFairTurns(STRANGERS) }

  async function inTurn<T>({ line, name }: Applicant, work: () => Promise<T>): Promise<T> {
    try {
      return await lines[line](name, work)
    } catch (error) {
      if (!(error instanceof TooManyWaitError)) throw error
      throw new DomainError('server_busy', AUTH_TEXTS.tooManyLogins, { retryAfterSeconds: COME_BACK_AFTER_SECONDS })
    }
  }

  return {
    hash: (password: string, applicant: Applicant): Promise<string> => inTurn(applicant, () => argon2.hash(password)),
    matches: (passwordHash: string, password: string, applicant: Applicant): Promise<boolean> =>
      inTurn(applicant, () => argon2.verify(passwordHash, password)),
  }
}
