import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncToDisk } from './durable.ts'
import { type FileFacts, judgeRead, type ReadVerdict } from './judge-read.ts'
import { createOpenBodies } from './open-bodies.ts'
import { KeyTakenError, NotStoredError, type Storage } from './storage.ts'
import { isKey, isKeyName, isPrefix, UNFINISHED } from './storage-keys.ts'

/** A folder of this machine, or one that several machines share. */
export function createLocalStorage(root: string): Storage {
  const pathOf = (key: string, isRight = isKey): string => {
    if (!isRight(key)) throw new Error(`not a storage key: ${key}`)
    return join(root, key)
  }

  const bodies = createOpenBodies()

  /** Its name and those of its folders, which may be new. */
  async function keepName(path: string): Promise<void> {
    for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) await syncToDisk(folder)
  }

  async function* keysBelow(inner: string): AsyncGenerator<string> {
    for (const entry of await entriesOf(join(root, inner))) {
      if (!isKeyName(entry.name)) continue
      const key = inner === '' ? entry.name : `${inner}/${entry.name}`
      if (entry.isDirectory()) yield* keysBelow(key)
      else if (entry.isFile()) yield key
    }
  }

  return {
    async put(key, fromFile) {
      const path = pathOf(key)
      if (await factsOf(path)) throw new KeyTakenError(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        await syncToDisk(fromFile)
        await rename(fromFile, path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
        const draft = `${path}${UNFINISHED}`
        await copyFile(fromFile, draft)
        await syncToDisk(draft)
        await rename(draft, path)
        await rm(fromFile)
      }
      await keepName(path)
    },

    head: async (key) => factsOf(pathOf(key)),

    async open(key, conditions = {}) {
      const path = pathOf(key)
      const facts = await factsOf(path)
      if (!facts) return null
      const verdict = judgeRead(facts, conditions)
      return { facts, verdict, body: bodies.add(key, bodyOf(path, verdict)) }
    },

    async remove(prefix) {
      const path = pathOf(prefix, isPrefix)
      await rm(path, { recursive: true, force: true })
      // Not before its name is gone: nobody opens it any more.
      bodies.end(prefix)
      if (!prefix.endsWith('/')) await rm(`${path}${UNFINISHED}`, { force: true })
      // An empty folder would still tell whose it was.
      if (dirname(path) !== root) await rmdir(dirname(path)).catch(() => {})
    },

    /** The file itself: what a tool has opened stays readable. */
    async pin(key) {
      const path = pathOf(key)
      if (!(await factsOf(path))) throw new NotStoredError(key)
      return { path, release() {} }
    },

    async clearCopies() {
      for (const key of bodies.keys()) if (!(await factsOf(pathOf(key)))) bodies.end(key)
    },

    list: () => keysBelow(''),
  }
}

const noneIf =
  <T>(codes: readonly string[], none: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (codes.includes(error.code ?? '')) return none
    throw error
  }

/** Whatever else keeps a file from being looked at is thrown: a disk that cannot be read now must not cost anybody a video. */
const ABSENT = ['ENOENT', 'ENOTDIR']

async function factsOf(path: string): Promise<FileFacts | null> {
  const found = await stat(path).catch(noneIf(ABSENT, null))
  if (!found?.isFile()) return null
  const etag = `W/"${found.size.toString(16)}-${found.mtime.getTime().toString(16)}"`
  return { bytes: found.size, etag, modifiedAt: found.mtime }
}

/** A folder that is closed to us holds nothing of ours: somebody keeps it beside. */
const entriesOf = (folder: string) => readdir(folder, { withFileTypes: true }).catch(noneIf([...ABSENT, 'EACCES'], []))

function bodyOf(path: string, verdict: ReadVerdict): Readable | null {
  if (verdict.kind === 'whole') return createReadStream(path)
  return verdict.kind === 'part' ? createReadStream(path, verdict.range) : null
}
