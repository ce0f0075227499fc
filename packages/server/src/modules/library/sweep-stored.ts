import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { RecordingsPort } from './recordings-port.ts'
import { folderOf } from './video-row.ts'

interface SweepStoredDeps {
  repo: Pick<LibraryRepo, 'idsOf' | 'newestAt'>
  storage: Pick<Storage, 'list' | 'head' | 'remove'>
  /** Also recordings have folders. */
  recordings: Pick<RecordingsPort, 'idsOf'>
  clock: Clock
  log: Log
}

interface StoredFolder {
  readonly userId: string
  readonly videoId: string
  readonly keys: string[]
}

const DAY_MS = 86_400_000
/** What is not named like ours belongs to somebody else: an operator's copy, a snapshot, the mark of another program. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
export const isOurId = (name: string): boolean => ID.test(name)

/**
 * Clears away stored files that no row knows. A program with the wrong database would lose every video here. So a folder goes only once
 * this program has found it without a row for a whole day, as long as some other folder has one, and unless it is newer than every row.
 */
export function createStoredSweep({ repo, storage, recordings, clock, log }: SweepStoredDeps): () => Promise<void> {
  const orphanSince = new Map<string, number>()

  /** All that is stored, by the folder of the video that it is named for. */
  async function storedFolders(): Promise<Map<string, StoredFolder>> {
    const folders = new Map<string, StoredFolder>()
    for await (const key of storage.list()) {
      const [userId = '', videoId = ''] = key.split('/')
      if (!isOurId(userId) || !isOurId(videoId)) continue
      const folder = folderOf({ user_id: userId, id: videoId })
      const known = folders.get(folder)
      if (known) known.keys.push(key)
      else folders.set(folder, { userId, videoId, keys: [key] })
    }
    return folders
  }

  async function withoutRow(folders: ReadonlyMap<string, StoredFolder>): Promise<Map<string, StoredFolder>> {
    const idsOf = new Map<string, Set<string>>()
    for (const { userId } of folders.values()) {
      if (idsOf.has(userId)) continue
      idsOf.set(userId, new Set([...(await repo.idsOf(userId)), ...(await recordings.idsOf(userId))]))
    }
    return new Map([...folders].filter(([, { userId, videoId }]) => !idsOf.get(userId)?.has(videoId)))
  }

  async function lastStored(keys: readonly string[]): Promise<number> {
    const found = await Promise.all(keys.map((key) => storage.head(key)))
    return Math.max(0, ...found.map((facts) => facts?.modifiedAt.getTime() ?? 0))
  }

  return async () => {
    const folders = await storedFolders()
    const orphans = await withoutRow(folders)
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
}
