import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'

/** The given secret, or the one of the data folder; null: there is none yet. */
export async function readAppSecret(given: Secret | null, dataDir: string): Promise<Secret | null> {
  if (given) return given
  const known = await readFile(join(dataDir, 'secret'), 'utf8').catch(() => '')
  return known.trim() === '' ? null : new Secret(known.trim())
}

/** The given secret, or one made once into the data folder. */
export async function loadAppSecret(given: Secret | null, dataDir: string): Promise<Secret> {
  // Nothing is written where there is one: a full disk must not keep the program from starting.
  const known = await readAppSecret(given, dataDir)
  if (known) return known
  const file = join(dataDir, 'secret')
  const draft = `${file}.${process.pid}`
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    // A link appears whole or not at all, so of two programs that start together both read the same secret.
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return new Secret((await readFile(file, 'utf8')).trim())
}
