import { createHash } from 'node:crypto'
import { access, constants, lstat, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BootError } from '../errors.ts'

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

/** In memory where there is such a place: a full disk then hides no progress, and nothing ffmpeg says touches the disk. */
export async function prepareRunDir(dataDir: string): Promise<string> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const inMemory = `/dev/shm/siarin-${name}`
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
  const onDisk = join(dataDir, 'run')
  await makeFolder(onDisk)
  return onDisk
}
