import { hash, verify } from '@node-rs/argon2'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { createTurns } from '../../platform/turns.ts'

/** Each takes 19 MiB for as long as it lasts: a flood of logins must not take the memory of a small machine. */
const AT_ONCE = 4
/** Whoever comes behind these would wait for seconds: better told at once to come back. */
const MOST_WAITING = 50
const COME_BACK_AFTER_SECONDS = 5

export type Passwords = ReturnType<typeof createPasswords>

/** argon2id with the library's defaults (19 MiB, 2 passes), which are OWASP's. Once per program: the bound counts what goes through it. */
export function createPasswords(argon2 = { hash: (password: string) => hash(password), verify }) {
  const inTurn = createTurns(AT_ONCE)
  let present = 0

  async function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (present >= AT_ONCE + MOST_WAITING) {
      throw new DomainError('server_busy', AUTH_TEXTS.tooManyLogins, { retryAfterSeconds: COME_BACK_AFTER_SECONDS })
    }
    present++
    try {
      return await inTurn(work)
    } finally {
      present--
    }
  }

  return {
    hash: (password: string): Promise<string> => bounded(() => argon2.hash(password)),
    matches: (passwordHash: string, password: string): Promise<boolean> =>
      bounded(() => argon2.verify(passwordHash, password)),
  }
}
