import { createHash } from 'node:crypto'
import { access, chmod, constants, lstat, mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BootError } from '../errors.ts'
import type { Log } from './log.ts'
import { giveToOwner } from './ownership.ts'

/** People's videos and the database are nobody else's business on this machine. */
const PRIVATE = { mode: 0o700 }

/** Like `mkdir -p`. Node's own recursive mkdir never returns on file systems that answer ENOENT to it, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, PRIVATE)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path, PRIVATE)
  }
}

/** Makes the data folder and says in one line when it cannot be used. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(join(dataDir, 'media'))
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new BootError([`DATA_DIR ${dataDir} cannot be written to (${code})`])
  }
}

/** The same for the folder of the copies, which may lie anywhere. */
export async function prepareCacheDir(cacheDir: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new BootError([`CACHE_DIR ${cacheDir} cannot be written to (${code})`])
  }
}

const FOLDERS = ['media', 'uploads', 'resumable', 'work', 'recording'] as const
/** Made by somebody else, or by an earlier version. */
const MAY_BE_THERE = [
  'backups',
  'cache',
  'run',
  'secret',
  'worker-id',
  'siarin.db',
  'siarin.db-wal',
  'siarin.db-shm',
  'siarin.db-reserve',
] as const
const OF_A_MOMENT = ['secret.next', 'restoring'] as const
const OF_OTHERS = 0o077

/**
 * Whatever mode the data folder has, and whatever umask the program. A folder that cannot be closed keeps nobody off air: it is said.
 * SQLite gives the files beside the database the mode of the database.
 */
export async function closeToOthers({
  dataDir,
  hasSqlite,
  log,
}: {
  dataDir: string
  hasSqlite: boolean
  log: Log
}): Promise<void> {
  const closing = async (path: string, work: Promise<void>): Promise<void> =>
    work.catch((error) => log.warn({ path, err: error }, 'other users of this machine may be able to read this'))
  for (const name of FOLDERS) await closing(join(dataDir, name), makeFolder(join(dataDir, name)))
  if (hasSqlite) await closing(join(dataDir, 'siarin.db'), makeFile(join(dataDir, 'siarin.db')))
  for (const name of [...FOLDERS, ...MAY_BE_THERE]) await closing(join(dataDir, name), closePath(join(dataDir, name)))
}

/** Where root has started us, or has called a command, in a folder of the user that the server runs as. */
export const giveDataToOwner = (dataDir: string): Promise<void> =>
  giveToOwner(dataDir, [...FOLDERS, ...MAY_BE_THERE, ...OF_A_MOMENT])

/** SQLite would make it with the mode of the umask, and others could open it before anybody has closed it. */
const makeFile = async (path: string): Promise<void> => (await open(path, 'a', 0o600)).close()

async function closePath(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found && found.mode & OF_OTHERS) await chmod(path, found.mode & 0o7700)
}

/** Where running broadcasts keep their progress: in memory, or else on the disk. */
export function runDirsOf(dataDir: string): { inMemory: string; onDisk: string } {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return { inMemory: `/dev/shm/siarin-${name}`, onDisk: join(dataDir, 'run') }
}

/** In memory where there is such a place: a full disk then hides no progress, and nothing ffmpeg says touches the disk. */
export async function prepareRunDir(dataDir: string): Promise<string> {
  const { inMemory, onDisk } = runDirsOf(dataDir)
  try {
    await mkdir(inMemory, PRIVATE).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    const { uid, mode } = await lstat(inMemory)
    // Anyone may make a folder there: only our own, closed to others, is used.
    if (uid === process.getuid?.() && (mode & 0o077) === 0) return inMemory
  } catch {
    // There is no such place, or it may not be used.
  }
  await makeFolder(onDisk)
  return onDisk
}
