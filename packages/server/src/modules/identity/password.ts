import { hash, verify } from '@node-rs/argon2'

/** Each takes 19 MiB for as long as it lasts: a flood of logins must not take the memory of a small machine. */
const AT_ONCE = 4

const waiting: (() => void)[] = []
let running = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** argon2id with the library's defaults (19 MiB, 2 passes), which are OWASP's. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password))

export const passwordMatches = (passwordHash: string, password: string): Promise<boolean> =>
  inTurn(() => verify(passwordHash, password))
