import { hash, verify } from '@node-rs/argon2'
import { createTurns } from '../../platform/turns.ts'

/** Each takes 19 MiB for as long as it lasts: a flood of logins must not take the memory of a small machine. */
const AT_ONCE = 4

export type Passwords = ReturnType<typeof createPasswords>

/** argon2id with the library's defaults (19 MiB, 2 passes), which are OWASP's. Once per program: the bound counts what goes through it. */
export function createPasswords() {
  const inTurn = createTurns(AT_ONCE)
  return {
    hash: (password: string): Promise<string> => inTurn(() => hash(password)),
    matches: (passwordHash: string, password: string): Promise<boolean> => inTurn(() => verify(passwordHash, password)),
  }
}
