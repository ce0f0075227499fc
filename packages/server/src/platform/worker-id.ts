import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Log } from './log.ts'
import { giveToFolderOwner } from './ownership.ts'

const RANDOM_BYTES = 3
const LONGEST_HOST = 40
const ID = /^[a-z0-9][\w.-]{0,62}$/i

interface WorkerIdSettings {
  /** WORKER_ID where it is set. */
  readonly workerId: string | null
  readonly dataDir: string
  /** Several machines would read the one file: then it is named by host. */
  readonly isDataDirShared: boolean
}

/** As it may stand in the name of a file. */
const hostPart = (): string =>
  hostname()
    .replaceAll(/[^\w.-]/g, '-')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, LONGEST_HOST) || 'machine'

/** Under which this machine did its work before it had an id: what it left then is still its own. */
export const formerWorkerId = (): string => hostname()

/**
 * The name of this machine among others: given, or made once into the data folder. A host's name will not do, as a container has another one
 * each time and two machines may have the same.
 */
export async function loadWorkerId(
  { workerId, dataDir, isDataDirShared }: WorkerIdSettings,
  log: Log,
): Promise<string> {
  if (workerId) return workerId
  const file = join(dataDir, isDataDirShared ? `worker-id-${hostPart()}` : 'worker-id')
  const known = await read(file)
  if (known) return known
  const draft = `${file}.${process.pid}`
  try {
    const made = `${hostPart()}-${randomBytes(RANDOM_BYTES).toString('hex')}`
    await writeFile(draft, `${made}\n`, { mode: 0o600, flush: true })
    await giveToFolderOwner(draft)
    // A link appears whole or not at all: web and worker of one folder that start together read the same id.
    await link(draft, file)
  } catch (error) {
    // A full disk must not keep a machine from coming back: it is then called what it was called before it had an id.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') log.warn({ file, err: error }, 'the id of this machine could not be written: set WORKER_ID')
  } finally {
    await rm(draft, { force: true })
  }
  return (await read(file)) ?? formerWorkerId()
}

/** Null: there is none, or nothing that could be one. */
async function read(file: string): Promise<string | null> {
  const text = (await readFile(file, 'utf8').catch(() => '')).trim()
  return ID.test(text) ? text : null
}
