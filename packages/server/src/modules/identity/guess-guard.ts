import { createHash } from 'node:crypto'
import type { ErrorCode } from '@siarin/contracts/error-codes'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { addressKey } from '../../http/address-key.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Counters } from '../../platform/counters.ts'
import { type GuessRules, strangersWaitMs } from './guess-rules.ts'

interface GuessGuardDeps {
  counters: Counters
  /** Before its counts. */
  name: string
  rules: GuessRules
  /** The refusal of a wrong guess: nothing else counts. */
  wrong: ErrorCode
  /** By what a visitor is known to this account; null: a stranger. */
  knownBy: (account: string, visitor: Visitor) => Promise<string | null>
}

export type GuessGuard = ReturnType<typeof createGuessGuard>

/** No e-mail address stands in a store. */
const nameOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('base64url')

const refusal = (leftMs: number): DomainError => {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000))
  return new DomainError('rate_limited', AUTH_TEXTS.tooManyAttempts(retryAfterSeconds), { retryAfterSeconds })
}

/**
 * Slows down those who guess a password or a code, and locks no owner out: what strangers do, however many they are, makes strangers wait
 * and nobody else. An account that does not exist is counted alike, so that nobody learns which there are.
 */
export function createGuessGuard({ counters, name, rules, wrong, knownBy }: GuessGuardDeps) {
  /** Counts a try at each place where it counts, and answers those places. Refused: it is one too many, and was not counted. */
  async function count(account: string, visitor: Visitor, known: string | null): Promise<string[]> {
    const [all, wait] = [`${name}-strangers:${nameOf(account)}`, `${name}-wait:${nameOf(account)}`]
    const counted: string[] = []
    const add = (key: string, windowMs: number) => {
      counted.push(key)
      return counters.add(key, windowMs)
    }
    const refuse = async (leftMs: number): Promise<never> => {
      await takeBack(counted)
      throw refusal(leftMs)
    }
    const own = await add(`${name}-each:${nameOf(account, known ?? addressKey(visitor.address))}`, rules.windowMs)
    if (own.count > rules.failuresEach) return refuse(own.leftMs)
    if (known !== null) return counted
    const ofStrangers = await add(all, rules.windowMs)
    const waitMs = strangersWaitMs(ofStrangers.count, rules)
    if (waitMs === 0) return counted
    // One of them may try in each wait: the one who begins it.
    const waiting = await add(wait, waitMs)
    return waiting.count > 1 ? refuse(waiting.leftMs) : counted
  }

  const takeBack = (keys: readonly string[]) => Promise.all(keys.map((key) => counters.takeBack(key)))

  return {
    /**
     * Judges a guess in between. It is counted before it is judged, and taken back if it was right: of many at one moment no more are
     * judged than one after the other would be.
     */
    async judged<T>(account: string, visitor: Visitor, judge: (isKnown: boolean) => Promise<T>): Promise<T> {
      const known = await knownBy(account, visitor)
      const counted = await count(account, visitor, known)
      try {
        const answer = await judge(known !== null)
        await takeBack(counted)
        return answer
      } catch (error) {
        if (!(error instanceof DomainError && error.code === wrong)) await takeBack(counted)
        throw error
      }
    },
  }
}
