import { statfs } from 'node:fs/promises'
import { formatBytes } from '@siarin/contracts/format'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { StorageUse } from '@siarin/contracts/videos'
import { DomainError } from '../../errors.ts'
import type { LibraryRepo } from './library.repo.ts'

/** What a user may have. Plans will decide it; until then a setting does. */
export interface LibraryLimits {
  readonly storageBytes: number
  readonly maxHeight: number
  readonly maxFps: number
}

interface RoomDeps {
  repo: Pick<LibraryRepo, 'usedBytes'>
  limitsOf: (userId: string) => Promise<LibraryLimits>
  dataDir: string
  /** Left free for the database and for what runs. */
  reserveBytes: number
}

export type Room = ReturnType<typeof createRoom>

export function createRoom({ repo, limitsOf, dataDir, reserveBytes }: RoomDeps) {
  async function use(userId: string): Promise<StorageUse> {
    const [used, { storageBytes }] = await Promise.all([repo.usedBytes(userId), limitsOf(userId)])
    return { used, limit: storageBytes }
  }

  async function needDisk(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dataDir)
    if (bavail * bsize - bytes < reserveBytes) throw new DomainError('storage_full', VIDEO_TEXTS.diskFull)
  }

  /** Refuses what cannot fit, before its bytes travel; answers how many more the user has. */
  async function need(userId: string, bytes: number): Promise<number> {
    await needDisk(bytes)
    const { used, limit } = await use(userId)
    const left = Math.max(0, limit - used)
    if (bytes > left || left === 0) throw noRoom(left, bytes)
    return left
  }

  return { use, need, needDisk }
}

export const noRoom = (left: number, needed: number): DomainError =>
  new DomainError('storage_full', VIDEO_TEXTS.noRoom(formatBytes(left), formatBytes(needed)))
