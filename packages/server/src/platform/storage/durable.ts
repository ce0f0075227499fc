import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { giveToFolderOwner } from '../ownership.ts'

/** Some network file systems know no such call for a folder: they keep names in a way of their own. */
const NO_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'])

/** What was written to a file or folder outlives a power cut from here on. A folder holds the names of what lies in it. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY)
  try {
    await handle.sync()
  } catch (error) {
    const isRefused = NO_SYNC.has((error as NodeJS.ErrnoException).code ?? '')
    if (!isRefused || !(await handle.stat()).isDirectory()) throw error
  } finally {
    await handle.close()
  }
}

/** The file is there whole or not at all, also after a power cut. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}`)
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true })
    await giveToFolderOwner(draft)
    await rename(draft, file)
    await syncToDisk(dirname(file))
  } finally {
    await rm(draft, { force: true })
  }
}

/** Where a hard link is impossible: another file system, one without links, or a file of somebody else's. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'])

/** The same bytes at a second place: a hard link where that works, as our files are never changed in place; else a copy. */
export async function placeFile(from: string, to: string, { copied = false } = {}): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  if (copied) return copyDurably(from, to)
  try {
    await link(from, to)
  } catch (error) {
    if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    await copyDurably(from, to)
  }
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await syncToDisk(to)
}
