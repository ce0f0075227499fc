import { randomBytes } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { BootError } from '../../errors.ts'
import { giveToFolderOwner } from '../ownership.ts'

/** Empty: there is none. One that is there and cannot be read is not taken for none, as another would be made or missed in its place. */
export async function readSecretFile(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    const owner = await stat(file).catch(() => null)
    const [whose, us] = [owner ? `, which belongs to user ${owner.uid},` : '', process.geteuid?.() ?? 'unknown']
    throw new BootError([
      `the secret ${file}${whose} cannot be read by user ${us}, as whom this runs (${code}). Give it to the user of the server with chown`,
    ])
  }
}

/** The configured secret, or the one of the data folder; null: there is none yet. */
export async function readAppSecret(configured: Secret | null, dataDir: string): Promise<Secret | null> {
  if (configured) return configured
  const known = await readSecretFile(join(dataDir, 'secret'))
  return known === '' ? null : new Secret(known)
}

/** The configured secret, or one made once into the data folder. */
export async function loadAppSecret(configured: Secret | null, dataDir: string): Promise<Secret> {
  // Nothing is written where there is one: a full disk must not keep the program from starting.
  const known = await readAppSecret(configured, dataDir)
  if (known) return known
  const file = join(dataDir, 'secret')
  const draft = `${file}.${process.pid}`
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    await giveToFolderOwner(draft)
    // A link appears whole or not at all, so of two programs that start together both read the same secret.
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return new Secret(await readSecretFile(file))
}
