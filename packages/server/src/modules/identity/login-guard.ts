import { createHash } from 'node:crypto'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { addressKey } from '../../http/address-key.ts'
import type { Counters } from '../../platform/counters.ts'
import type { Db } from '../../platform/db/database.ts'
import { LOGIN_RULES, waitAfterFailure } from './login-rules.ts'

interface LoginGuardDeps {
  counters: Counters
  /** The addresses from which the owner of this account has logged in, newest first. */
  addressesOf: (email: string) => Promise<readonly string[]>
}

export type LoginGuard = ReturnType<typeof createLoginGuard>

const ADDRESSES_KNOWN = 100

/** No e-mail address stands in a store. */
const nameOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('base64url')

const refusal = (leftMs: number): DomainError => {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000))
  return new DomainError('rate_limited', AUTH_TEXTS.tooManyAttempts(retryAfterSeconds), { retryAfterSeconds })
}

/**
 * Slows down whoever guesses a password, and locks no owner out: what strangers do from their addresses closes the account to nobody else.
 * An account that has none is counted alike, so that nobody learns which there are.
 */
export function createLoginGuard({ counters, addressesOf }: LoginGuardDeps) {
  async function isKnown(email: string, address: string): Promise<boolean> {
    return (await addressesOf(email)).some((known) => addressKey(known) === addressKey(address))
  }

  return {
    /**
     * Looks at a password between the two. It is counted before it is judged, and taken back if it was right: of many at one moment no more
     * are judged than one after the other would be.
     */
    async judged<T>(email: string, address: string, login: () => Promise<T>): Promise<T> {
      const pair = nameOf(email, addressKey(address))
      const [pairKey, accountKey, waitKey] = [
        `login-pair:${pair}`,
        `login-account:${nameOf(email)}`,
        `login-wait:${pair}`,
      ]
      const waiting = await counters.read(waitKey)
      if (waiting.count > 0) throw refusal(waiting.leftMs)
      const ofPair = await counters.add(pairKey, LOGIN_RULES.windowMs)
      if (ofPair.count > LOGIN_RULES.failuresPerPair) throw refusal(ofPair.leftMs)
      const ofAccount = await counters.add(accountKey, LOGIN_RULES.windowMs)
      try {
        const answer = await login()
        await Promise.all([counters.takeBack(pairKey), counters.takeBack(accountKey)])
        return answer
      } catch (error) {
        const wrong = error instanceof DomainError && error.code === 'wrong_credentials'
        if (!wrong) await Promise.all([counters.takeBack(pairKey), counters.takeBack(accountKey)])
        const waitMs = wrong ? waitAfterFailure(ofAccount.count) : 0
        if (waitMs > 0 && !(await isKnown(email, address))) await counters.add(waitKey, waitMs)
        throw error
      }
    },
  }
}

export const addressesOfOwner =
  (db: Db) =>
  async (email: string): Promise<string[]> => {
    const rows = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.address')
      .where('users.email', '=', email)
      .orderBy('sessions.created_at', 'desc')
      .limit(ADDRESSES_KNOWN)
      .execute()
    return rows.map(({ address }) => address)
  }
