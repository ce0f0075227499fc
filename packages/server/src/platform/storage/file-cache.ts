import { mkdir, readdir, readFile, rename, rm, rmdir, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DiskFullError } from '../../errors.ts'
import type { Log } from '../log.ts'
import { createTurns } from '../turns.ts'
import { syncToDisk } from './durable.ts'
import type { FileFacts } from './judge-read.ts'
import { NotStoredError, type Pin } from './storage.ts'
import { isKey } from './storage-keys.ts'

interface CacheDeps {
  /** This program's own: nobody else clears away there. */
  readonly root: string
  readonly maxBytes: number
  /** Left free on the disk. */
  readonly reserveBytes: number
  readonly log: Log
  /** Null: there is no such file. */
  readonly head: (key: string) => Promise<FileFacts | null>
  /** Fills a file, whole, or throws. */
  readonly fetch: (key: string, file: string, facts: FileFacts) => Promise<void>
}

interface Entry {
  readonly facts: FileFacts
  pins: number
  usedAt: number
  /** It was removed, and goes with its last pin. */
  isDoomed: boolean
}

export type FileCache = Awaited<ReturnType<typeof openFileCache>>

/** What an earlier run had pinned may still be sent by an ffmpeg that outlived it, until this one has taken it over. */
const INHERITED_MS = 60_000

/** Copies of stored files on this machine. A pinned one stays; of the others the one goes first that was not used for longest. */
export async function openFileCache(deps: CacheDeps) {
  const { root, maxBytes, reserveBytes, log } = deps
  const entries = await readEntries(root)
  const fetching = new Map<string, Promise<void>>()
  const inTurn = createTurns(1)
  const inheritedUntil = Date.now() + INHERITED_MS
  const inherited = new Set(entries.keys())
  /** Of what is on its way. */
  let coming = 0

  const pathOf = (key: string): string => join(root, key)
  const usedBytes = (): number => [...entries.values()].reduce((sum, { facts }) => sum + facts.bytes, coming)
  const mayGo = (key: string, { pins }: Entry): boolean =>
    pins === 0 && !(inherited.has(key) && Date.now() < inheritedUntil)

  async function drop(key: string): Promise<void> {
    entries.delete(key)
    inherited.delete(key)
    await rm(factsFileOf(pathOf(key)), { force: true })
    await rm(pathOf(key), { force: true })
    // Empty folders would still tell whose they were.
    for (let folder = dirname(pathOf(key)); folder !== root; folder = dirname(folder)) {
      if (
        !(await rmdir(folder).then(
          () => true,
          () => false,
        ))
      )
        break
    }
  }

  async function hasRoom(bytes: number, onDisk: boolean): Promise<boolean> {
    if (usedBytes() + bytes > maxBytes) return false
    if (onDisk) return true
    const { bavail, bsize } = await statfs(root)
    return bavail * bsize - coming - bytes >= reserveBytes
  }

  /** `onDisk`: it lies on this disk already. One at a time, so that no two get the same bytes. */
  const makeRoom = (bytes: number, onDisk = false): Promise<boolean> =>
    inTurn(async () => {
      while (!(await hasRoom(bytes, onDisk))) {
        const free = [...entries].filter(([key, entry]) => mayGo(key, entry))
        const [oldest] = free.sort(([, one], [, other]) => one.usedAt - other.usedAt)
        if (!oldest) return false
        await drop(oldest[0])
      }
      coming += bytes
      return true
    })

  function touch(key: string, entry: Entry): void {
    entry.usedAt = Date.now()
    const now = new Date()
    // Only the order of leaving depends on it.
    utimes(factsFileOf(pathOf(key)), now, now).catch(() => {})
  }

  /** From here on it is found by the next run too: not before its bytes outlive a power cut. */
  async function keep(key: string, facts: FileFacts): Promise<void> {
    await syncToDisk(pathOf(key))
    if (!entries.has(key)) return
    const text = JSON.stringify({ ...facts, modifiedAt: facts.modifiedAt.toISOString() })
    await writeFile(factsFileOf(pathOf(key)), text, { mode: 0o600 })
    if (!entries.has(key)) await rm(factsFileOf(pathOf(key)), { force: true })
  }

  function add(key: string, facts: FileFacts): void {
    entries.set(key, { facts, pins: 0, usedAt: Date.now(), isDoomed: false })
    keep(key, facts).catch((error) => log.warn({ err: error, key }, 'a copy will not be known after a restart'))
  }

  async function download(key: string): Promise<void> {
    const facts = await deps.head(key)
    if (!facts) throw new NotStoredError(key)
    if (!(await makeRoom(facts.bytes))) throw new CacheFullError()
    const draft = join(dirname(pathOf(key)), `.${basename(key)}.part`)
    const begunAt = Date.now()
    try {
      await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
      await deps.fetch(key, draft, facts)
      await rename(draft, pathOf(key))
      add(key, facts)
      log.debug({ key, bytes: facts.bytes, tookMs: Date.now() - begunAt }, 'fetched into the cache')
    } finally {
      coming -= facts.bytes
      await rm(draft, { force: true })
    }
  }

  /** One download for all who ask. */
  function fetched(key: string): Promise<void> {
    const underWay = fetching.get(key)
    if (underWay) return underWay
    const started = download(key).finally(() => fetching.delete(key))
    fetching.set(key, started)
    return started
  }

  function pinned(key: string, entry: Entry): Pin {
    entry.pins++
    inherited.delete(key)
    touch(key, entry)
    let isHeld = true
    return {
      path: pathOf(key),
      release() {
        if (!isHeld) return
        isHeld = false
        entry.pins--
        if (entry.isDoomed && entry.pins === 0) {
          drop(key).catch((error) => log.warn({ err: error, key }, 'a copy could not be removed'))
        } else touch(key, entry)
      },
    }
  }

  async function pin(key: string): Promise<Pin> {
    for (;;) {
      const entry = entries.get(key)
      if (entry?.isDoomed) throw new NotStoredError(key)
      if (entry) return pinned(key, entry)
      await fetched(key)
    }
  }

  return {
    pin,
    /** Null: it is not here. */
    factsOf(key: string): FileFacts | null {
      const entry = entries.get(key)
      return entry && !entry.isDoomed ? entry.facts : null
    },

    /** Takes over a file that has just been stored. False: there is no room, or it lies on another disk; it is left where it is. */
    async adopt(key: string, facts: FileFacts, file: string): Promise<boolean> {
      if (!(await makeRoom(facts.bytes, true))) return false
      try {
        await mkdir(dirname(pathOf(key)), { recursive: true, mode: 0o700 })
        await rename(file, pathOf(key))
        add(key, facts)
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false
        throw error
      } finally {
        coming -= facts.bytes
      }
    },

    /** What was removed from the storage. */
    async forget(prefix: string): Promise<void> {
      const gone = [...entries].filter(([key]) => key === prefix || (prefix.endsWith('/') && key.startsWith(prefix)))
      for (const [key, entry] of gone) {
        if (entry.pins > 0) entry.isDoomed = true
        else await drop(key)
      }
    },
  }
}

/** Everything that it may hold is in use: nothing more can be played from here. */
export class CacheFullError extends DiskFullError {
  constructor() {
    super('the cache of videos has no room: see CACHE_MAX_GB and the disk of CACHE_DIR')
  }
}

/** Names of keys do not begin with a dot. */
const factsFileOf = (path: string): string => join(dirname(path), `.${basename(path)}.facts`)
const KEPT = /^\.(.+)\.facts$/

/** Those of the last run that are whole; all else that a crash left there goes. */
async function readEntries(root: string): Promise<Map<string, Entry>> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const entries = new Map<string, Entry>()
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    const kept = KEPT.exec(name)?.[1]
    if (kept === undefined) continue
    const path = join(parentPath, kept)
    const key = path.slice(root.length + 1)
    const entry = isKey(key) ? await readEntry(path) : null
    if (entry) entries.set(key, entry)
  }
  for (const { parentPath, name } of files) {
    const path = join(parentPath, KEPT.exec(name)?.[1] ?? name)
    if (path !== join(root, MARK) && !entries.has(path.slice(root.length + 1))) await rm(join(parentPath, name))
  }
  return entries
}

async function readEntry(path: string): Promise<Entry | null> {
  try {
    const [file, factsFile, text] = await Promise.all([
      stat(path),
      stat(factsFileOf(path)),
      readFile(factsFileOf(path), 'utf8'),
    ])
    const { bytes, etag, modifiedAt } = JSON.parse(text)
    const facts = { bytes, etag, modifiedAt: new Date(modifiedAt) }
    return file.size === bytes ? { facts, pins: 0, usedAt: factsFile.mtimeMs, isDoomed: false } : null
  } catch {
    return null
  }
}

/** Says of which storage the copies are. */
export const MARK = '.store'
