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
  readonly mostCopies?: number
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
  /** It was removed, and goes with its last pin. */
  isDoomed: boolean
  /** What an earlier run had pinned may still be sent by an ffmpeg that outlived it. */
  isInherited: boolean
}

type Folder = ReturnType<typeof createCacheFolder>

export type FileCache = Awaited<ReturnType<typeof openFileCache>>

/** By then this run has taken over what the last one left running. */
const INHERITED_MS = 60_000
/** Small files take little of the disk, and yet each of them is looked at in turn. */
const MOST_COPIES = 10_000

/** What is here, and room for more: of what nobody has pinned, that goes first which was not used for longest. */
async function openShelf({ root, maxBytes, reserveBytes, mostCopies = MOST_COPIES, log }: ShelfDeps, folder: Folder) {
  const entries = new Map<string, Entry>()
  /** What nobody has pinned: that which was not used for longest stands first. */
  const free = new Set<string>()
  /** The bytes of all that is here, and those that are on their way. */
  let held = 0
  let coming = 0
  const openedAt = performance.now()
  const inTurn = createTurns(1)

  function shelve(key: string, facts: FileFacts, isInherited: boolean): void {
    // Somebody may have fetched it meanwhile, and have it pinned.
    if (entries.has(key)) return
    entries.set(key, { facts, pins: 0, isDoomed: false, isInherited })
    free.add(key)
    held += facts.bytes
  }

  const left = [...(await readCopies(root))].sort(([, one], [, other]) => one.usedAt - other.usedAt)
  for (const [key, { facts }] of left) shelve(key, facts, true)

  const mayGo = (key: string): boolean => !entries.get(key)?.isInherited || performance.now() - openedAt > INHERITED_MS

  function oldestFree(): string | null {
    for (const key of free) if (mayGo(key)) return key
    return null
  }

  async function drop(key: string): Promise<void> {
    held -= entries.get(key)?.facts.bytes ?? 0
    entries.delete(key)
    free.delete(key)
    await folder.remove(key)
  }

  async function hasRoom(bytes: number, onDisk: boolean): Promise<boolean> {
    if (held + coming + bytes > maxBytes) return false
    return onDisk || (await folder.freeBytes()) - coming - bytes >= reserveBytes
  }

  /** One at a time, so that no two get the same bytes. */
  const makeRoom = (bytes: number, onDisk: boolean): Promise<void> =>
    inTurn(async () => {
      // For one that finds no room whatever goes, nothing does.
      if (!onDisk && bytes > (await room()).bytes) throw new CacheFullError()
      while (!(await hasRoom(bytes, onDisk))) {
        const oldest = oldestFree()
        if (oldest === null) throw new CacheFullError()
        await drop(oldest)
      }
      coming += bytes
    })

  /** Nobody waits for it: a few copies more do less harm than a broadcast without its own. What has just come stands last, and stays. */
  async function keepFew(): Promise<void> {
    for (const oldest of free) {
      if (free.size <= mostCopies || !mayGo(oldest)) return
      await drop(oldest)
    }
  }

  /** Inherited ones count as free: they may go within a minute. */
  async function room(): Promise<PinRoom> {
    const freeBytes = await folder.freeBytes()
    let pinnedBytes = coming
    for (const { facts, pins } of entries.values()) if (pins > 0) pinnedBytes += facts.bytes
    const onDisk = freeBytes + held - pinnedBytes - reserveBytes
    return {
      bytes: Math.max(0, Math.min(maxBytes - pinnedBytes, onDisk)),
      usualBytes: entries.size === 0 ? 0 : held / entries.size,
    }
  }

  return {
    entries,
    free,
    drop,
    room,
    /** With room for it while it is made; `onDisk`: it lies on this disk already. */
    async add(key: string, facts: FileFacts, make: () => Promise<void>, { onDisk = false } = {}): Promise<void> {
      await makeRoom(facts.bytes, onDisk)
      try {
        await make()
        shelve(key, facts, false)
      } finally {
        coming -= facts.bytes
      }
      keepFew().catch((error) => log.warn({ err: error }, 'a copy could not be removed'))
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
  const { entries, free, drop, add, room } = await openShelf(deps, folder)
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

  function pinned(key: string, entry: Entry): Pin {
    entry.pins++
    entry.isInherited = false
    free.delete(key)
    folder.touch(key)
    let isHeld = true
    return {
      path: folder.pathOf(key),
      release() {
        if (!isHeld) return
        isHeld = false
        entry.pins--
        folder.touch(key)
        if (entry.pins > 0) return
        if (!entry.isDoomed) free.add(key)
        else drop(key).catch((error) => log.warn({ err: error, key }, 'a copy could not be removed'))
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
