import { mkdir, readdir, readFile, rename, rm, rmdir, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BootError } from '../../errors.ts'
import { syncToDisk } from './durable.ts'
import type { FileFacts } from './judge-read.ts'
import { isKey } from './storage-keys.ts'

/** A copy of the last run. */
export interface KeptCopy {
  readonly facts: FileFacts
  readonly usedAt: number
}

/** Says of which storage the copies are. */
const MARK = '.store'

/** Null: nobody has taken this folder for copies yet. */
export const readMark = (root: string): Promise<string | null> => readFile(join(root, MARK), 'utf8').catch(() => null)

/** Empties it for copies of another storage. What lies in a folder without a mark is somebody's own, and is left alone. */
export async function takeFolder(root: string, mark: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const names = await readdir(root)
  if (names.length > 0 && !names.includes(MARK)) {
    throw new BootError([
      `CACHE_DIR ${dirname(root)} has a folder ${basename(root)} with files that are not Siarin's. Name a folder that is empty`,
    ])
  }
  // The mark stays to the last: a start that breaks off here is taken up by the next one.
  for (const name of names) if (name !== MARK) await rm(join(root, name), { recursive: true, force: true })
  await writeFile(join(root, MARK), mark, { mode: 0o600 })
}

/** Names of keys do not begin with a dot. */
const besideOf = (path: string, end: string): string => join(dirname(path), `.${basename(path)}.${end}`)
const factsFileOf = (path: string): string => besideOf(path, 'facts')
const KEPT = /^\.(.+)\.facts$/

/** How copies lie on the disk: each under its key, and beside it what it is and, by its time, when it was last used. */
export function createCacheFolder(root: string) {
  const pathOf = (key: string): string => join(root, key)

  return {
    pathOf,
    freeBytes: async (): Promise<number> => {
      const { bavail, bsize } = await statfs(root)
      return bavail * bsize
    },
    touch(key: string): void {
      const now = new Date()
      // Only the order of leaving depends on it.
      utimes(factsFileOf(pathOf(key)), now, now).catch(() => {})
    },
    /** `fill` writes a draft, which gets its name when it is whole. */
    async make(key: string, fill: (draft: string) => Promise<void>): Promise<void> {
      const draft = besideOf(pathOf(key), 'part')
      try {
        await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
        await fill(draft)
        await rename(draft, pathOf(key))
      } finally {
        await rm(draft, { force: true })
      }
    },
    /** From here on it is found by the next run too: not before its bytes outlive a power cut. */
    async keep(key: string, facts: FileFacts, isWanted: () => boolean): Promise<void> {
      await syncToDisk(pathOf(key))
      if (!isWanted()) return
      await writeFile(factsFileOf(pathOf(key)), JSON.stringify(facts), { mode: 0o600 })
      if (!isWanted()) await rm(factsFileOf(pathOf(key)), { force: true })
    },
    async remove(key: string): Promise<void> {
      await rm(factsFileOf(pathOf(key)), { force: true })
      await rm(pathOf(key), { force: true })
      // Empty folders would still tell whose they were.
      for (let folder = dirname(pathOf(key)); folder !== root; folder = dirname(folder)) {
        const isGone = await rmdir(folder).then(
          () => true,
          () => false,
        )
        if (!isGone) break
      }
    },
  }
}

/** Those of the last run that are whole; all else that a crash left there goes. */
export async function readCopies(root: string): Promise<Map<string, KeptCopy>> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const copies = new Map<string, KeptCopy>()
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    const kept = KEPT.exec(name)?.[1]
    if (kept === undefined) continue
    const path = join(parentPath, kept)
    const key = path.slice(root.length + 1)
    const copy = isKey(key) ? await readCopy(path) : null
    if (copy) copies.set(key, copy)
  }
  for (const { parentPath, name } of files) {
    const path = join(parentPath, KEPT.exec(name)?.[1] ?? name)
    if (path !== join(root, MARK) && !copies.has(path.slice(root.length + 1))) await rm(join(parentPath, name))
  }
  return copies
}

async function readCopy(path: string): Promise<KeptCopy | null> {
  try {
    const [file, beside, text] = await Promise.all([
      stat(path),
      stat(factsFileOf(path)),
      readFile(factsFileOf(path), 'utf8'),
    ])
    const { bytes, etag, modifiedAt } = JSON.parse(text)
    if (file.size !== bytes) return null
    return { facts: { bytes, etag, modifiedAt: new Date(modifiedAt) }, usedAt: beside.mtimeMs }
  } catch {
    return null
  }
}
