import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { folderOf, type LibraryRepo } from './library.repo.ts'
import type { ReservationsRepo } from './reservations.repo.ts'

interface SweepDeps {
  repo: Pick<LibraryRepo, 'byId' | 'idsOf' | 'newestAt'>
  reservations: Pick<ReservationsRepo, 'isHeld' | 'release' | 'releaseLapsed' | 'tusHeldBefore'>
  storage: Pick<Storage, 'list' | 'head' | 'remove'>
  clock: Clock
  log: Log
  /** A complete upload that nobody has come to look into yet. */
  isWaiting: (uploadId: string) => boolean
  uploadDir: string
  resumableDir: string
}

const DAY_MS = 86_400_000
/** What is not named like ours belongs to somebody else: an operator's copy, a snapshot, the mark of another program. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const UPLOAD_ID = /^[\w-]+~[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** Room is reserved before the file is made: so long nobody asks where it is. */
const SETTLED_MS = 600_000

/**
 * Clears away what no row knows and nobody has touched for a day. Machines may share the folder, so nothing here relies on what this
 * program remembers, but for what is stored: there, whoever names the wrong database would lose every video. So a folder goes only once this program
 * has found it without a row for a whole day, as long as some other folder has one, and unless it is newer than every row.
 */
export function createSweep(deps: SweepDeps) {
  const { repo, reservations, storage, clock, log, isWaiting, uploadDir, resumableDir } = deps
  const orphanSince = new Map<string, number>()

  const isOld = async (...paths: string[]): Promise<boolean> => (await lastTouched(paths)) < clock.now() - DAY_MS

  async function clear(path: string): Promise<void> {
    log.info({ path }, 'clearing away a file that belongs to nothing')
    await rm(path, { recursive: true, force: true })
  }

  async function sweepUploads(): Promise<void> {
    for (const videoId of await idsIn(uploadDir)) {
      const folder = join(uploadDir, videoId)
      if (!(await isOld(folder)) || (await reservations.isHeld(videoId, clock.now()))) continue
      if ((await repo.byId(videoId))?.status !== 'processing') await clear(folder)
    }
  }

  /** A file without its record, a record without its file, and both once their day is over. */
  async function sweepResumable(): Promise<void> {
    const ids = new Set((await namesIn(resumableDir)).map((name) => name.replace(/\.json$/, '')))
    for (const id of ids) {
      if (!UPLOAD_ID.test(id)) continue
      const paths = [join(resumableDir, id), join(resumableDir, `${id}.json`)]
      if (isWaiting(id) || !(await isOld(...paths)) || (await reservations.isHeld(id, clock.now()))) continue
      for (const path of paths) await clear(path)
    }
    for (const id of await reservations.tusHeldBefore(clock.now() + DAY_MS - SETTLED_MS)) {
      const isThere = await stat(join(resumableDir, id)).catch(() => null)
      if (!isThere) await reservations.release(id)
    }
  }

  /** All that is stored, by the folder of the video that it is named for. */
  async function storedFolders(): Promise<Map<string, { userId: string; videoId: string; keys: string[] }>> {
    const folders = new Map<string, { userId: string; videoId: string; keys: string[] }>()
    for await (const key of storage.list()) {
      const [userId = '', videoId = ''] = key.split('/')
      if (!ID.test(userId) || !ID.test(videoId)) continue
      const folder = folderOf({ user_id: userId, id: videoId })
      const known = folders.get(folder)
      if (known) known.keys.push(key)
      else folders.set(folder, { userId, videoId, keys: [key] })
    }
    return folders
  }

  async function lastStored(keys: readonly string[]): Promise<number> {
    const found = await Promise.all(keys.map((key) => storage.head(key)))
    return Math.max(0, ...found.map((facts) => facts?.modifiedAt.getTime() ?? 0))
  }

  async function sweepStored(): Promise<void> {
    const folders = await storedFolders()
    const idsOf = new Map<string, Set<string>>()
    for (const { userId } of folders.values()) {
      if (!idsOf.has(userId)) idsOf.set(userId, await repo.idsOf(userId))
    }
    const orphans = new Map([...folders].filter(([, { userId, videoId }]) => !idsOf.get(userId)?.has(videoId)))
    for (const folder of orphanSince.keys()) if (!orphans.has(folder)) orphanSince.delete(folder)
    for (const [folder, { keys }] of orphans) {
      const since = orphanSince.get(folder) ?? clock.now()
      orphanSince.set(folder, since)
      const storedAt = await lastStored(keys)
      const isYoung = clock.now() - since < DAY_MS || storedAt >= clock.now() - DAY_MS
      if (orphans.size === folders.size || isYoung) continue
      // The database may have been put back to an earlier day: the newer one would miss these.
      if (storedAt > (await repo.newestAt()) + DAY_MS) {
        log.warn({ folder }, 'a file belongs to no video, and is newer than all of them: it stays')
        continue
      }
      log.info({ folder }, 'clearing away files that belong to nothing')
      await storage.remove(folder)
    }
  }

  return async (): Promise<void> => {
    await sweepUploads()
    await sweepResumable()
    await reservations.releaseLapsed(clock.now())
    await sweepStored()
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const idsIn = async (folder: string): Promise<string[]> => (await namesIn(folder)).filter((name) => ID.test(name))

/** Of the newest of them, and of what lies directly in it. */
async function lastTouched(paths: readonly string[]): Promise<number> {
  const inside = await Promise.all(paths.map(async (path) => (await namesIn(path)).map((name) => join(path, name))))
  const times = await Promise.all(
    [...paths, ...inside.flat()].map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  return Math.max(...times)
}
