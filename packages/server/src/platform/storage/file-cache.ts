import { rename } from 'node:fs/promises'
import type { Log } from '../log.ts'
import { createTurns } from '../turns.ts'
import { createCacheFolder, readCopies } from './cache-folder.ts'
import { CacheFullError } from './cache-full-error.ts'
import type { FileFacts } from './judge-read.ts'
import { NotStoredError, type Pin, type PinRoom } from './storage.ts'
import { isTakenBy } from './storage-keys.ts'

interface ShelfDeps {
  /** This program's own: nobody else clears away there. */
  readonly root: string
  readonly maxBytes: number
  /** Left free on the disk. */
  readonly reserveBytes: number
  readonly log: Log
}

interface CacheDeps extends ShelfDeps {
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
  /** What an earlier run had pinned may still be sent by an ffmpeg that outlived it. */
  isInherited: boolean
}

type Folder = ReturnType<typeof createCacheFolder>

export type FileCache = Awaited<ReturnType<typeof openFileCache>>

/** By then this run has taken over what the last one left running. */
const INHERITED_MS = 60_000

/** What is here, and room for more: of what nobody has pinned, that goes first which was not used for longest. */
async function openShelf({ root, maxBytes, reserveBytes, log }: ShelfDeps, folder: Folder) {
  const entries = new Map<string, Entry>()
  for (const [key, copy] of await readCopies(root)) {
    entries.set(key, { ...copy, pins: 0, isDoomed: false, isInherited: true })
  }
  const openedAt = performance.now()
  const inTurn = createTurns(1)
  /** The bytes that are on their way. */
  let coming = 0

  const sizeOf = (some: readonly Entry[]): number => some.reduce((sum, { facts }) => sum + facts.bytes, 0)
  const usedBytes = (): number => sizeOf([...entries.values()]) + coming
  const mayGo = ({ pins, isInherited }: Entry): boolean =>
    pins === 0 && (!isInherited || performance.now() - openedAt > INHERITED_MS)

  async function drop(key: string): Promise<void> {
    entries.delete(key)
    await folder.remove(key)
  }

  async function hasRoom(bytes: number, onDisk: boolean): Promise<boolean> {
    if (usedBytes() + bytes > maxBytes) return false
    return onDisk || (await folder.freeBytes()) - coming - bytes >= reserveBytes
  }

  /** One at a time, so that no two get the same bytes. */
  const makeRoom = (bytes: number, onDisk: boolean): Promise<void> =>
    inTurn(async () => {
      while (!(await hasRoom(bytes, onDisk))) {
        const free = [...entries].filter(([, entry]) => mayGo(entry))
        const [oldest] = free.sort(([, one], [, other]) => one.usedAt - other.usedAt)
        if (!oldest) throw new CacheFullError()
        await drop(oldest[0])
      }
      coming += bytes
    })

  /** Inherited ones count as free: they may go within a minute. */
  async function room(): Promise<PinRoom> {
    const freeBytes = await folder.freeBytes()
    const all = [...entries.values()]
    const pinnedBytes = sizeOf(all.filter(({ pins }) => pins > 0)) + coming
    const onDisk = freeBytes + sizeOf(all) - pinnedBytes - reserveBytes
    return {
      bytes: Math.max(0, Math.min(maxBytes - pinnedBytes, onDisk)),
      usualBytes: all.length === 0 ? 0 : sizeOf(all) / all.length,
    }
  }

  return {
    entries,
    drop,
    room,
    /** With room for it while it is made; `onDisk`: it lies on this disk already. */
    async add(key: string, facts: FileFacts, make: () => Promise<void>, { onDisk = false } = {}): Promise<void> {
      await makeRoom(facts.bytes, onDisk)
      try {
        await make()
        entries.set(key, { facts, pins: 0, usedAt: Date.now(), isDoomed: false, isInherited: false })
      } finally {
        coming -= facts.bytes
      }
      folder
        .keep(key, facts, () => entries.has(key))
        .catch((error) => log.warn({ err: error, key }, 'a copy will not be known after a restart'))
    },
  }
}

/** Copies of stored files on this machine. */
export async function openFileCache(deps: CacheDeps) {
  const { log } = deps
  const folder = createCacheFolder(deps.root)
  const { entries, drop, add, room } = await openShelf(deps, folder)
  const fetching = new Map<string, Promise<void>>()

  async function download(key: string): Promise<void> {
    const facts = await deps.head(key)
    if (!facts) throw new NotStoredError(key)
    const begunAt = Date.now()
    await add(key, facts, () => folder.make(key, (draft) => deps.fetch(key, draft, facts)))
    log.debug({ key, bytes: facts.bytes, tookMs: Date.now() - begunAt }, 'fetched into the cache')
  }

  /** One download for all who ask. */
  function fetched(key: string): Promise<void> {
    const underWay = fetching.get(key)
    if (underWay) return underWay
    const started = download(key).finally(() => fetching.delete(key))
    fetching.set(key, started)
    return started
  }

  function touch(key: string, entry: Entry): void {
    entry.usedAt = Date.now()
    folder.touch(key)
  }

  function pinned(key: string, entry: Entry): Pin {
    entry.pins++
    entry.isInherited = false
    touch(key, entry)
    let isHeld = true
    return {
      path: folder.pathOf(key),
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

  return {
    room,

    async pin(key: string): Promise<Pin> {
      for (;;) {
        const entry = entries.get(key)
        if (entry?.isDoomed) throw new NotStoredError(key)
        if (entry) return pinned(key, entry)
        await fetched(key)
      }
    },

    /** Null: it is not here. */
    factsOf(key: string): FileFacts | null {
      const entry = entries.get(key)
      return entry && !entry.isDoomed ? entry.facts : null
    },

    /** Takes over a file that has just been stored. Throws where there is no room, or it lies on another disk: then it is left. */
    adopt: (key: string, facts: FileFacts, file: string): Promise<void> =>
      add(key, facts, () => folder.make(key, (draft) => rename(file, draft)), { onDisk: true }),

    /** What another machine has removed from the storage would lie here until its room is wanted. What is pinned stays for now. */
    async forgetGone(): Promise<void> {
      for (const key of [...entries.keys()]) {
        if (await deps.head(key)) continue
        if (entries.get(key)?.pins === 0) await drop(key)
      }
    },

    /** What was removed from the storage. */
    async forget(prefix: string): Promise<void> {
      const gone = [...entries].filter(([key]) => isTakenBy(key, prefix))
      for (const [key, entry] of gone) {
        if (entry.pins > 0) entry.isDoomed = true
        else await drop(key)
      }
    },
  }
}
