import { statfs } from 'node:fs/promises'
import { noRoomWords } from '@siarin/contracts/room'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { StorageUse } from '@siarin/contracts/videos'
import { DomainError } from '../../errors.ts'
import type { LibraryRepo, VideoRow } from './library.repo.ts'

/** What a user may have. */
export interface LibraryLimits {
  readonly storageBytes: number
  readonly maxHeight: number
  readonly maxFps: number
}

interface RoomDeps {
  repo: Pick<LibraryRepo, 'usedBytes'>
  limitsOf: (userId: string) => Promise<LibraryLimits>
  /** Which plan's limit it is and how to get more room; empty where no plan is at fault. */
  storageWords: (userId: string) => Promise<string>
  dataDir: string
  /** Left free for the database and for what runs. */
  reserveBytes: number
}

/** How many more bytes a user has, and what is said of more than that. */
export interface Left {
  readonly bytes: number
  refusal(needed: number): DomainError
}

/** Whoever is held to no limit has what the disk has. */
const UNBOUNDED_BYTES = 100_000 * 1024 ** 3

export type Room = ReturnType<typeof createRoom>

export function createRoom({ repo, limitsOf, storageWords, dataDir, reserveBytes }: RoomDeps) {
  async function held(userId: string): Promise<StorageUse> {
    const [used, { storageBytes }] = await Promise.all([repo.usedBytes(userId), limitsOf(userId)])
    return { used, limit: storageBytes }
  }

  /** As it is shown. */
  async function use(userId: string): Promise<StorageUse> {
    const { used, limit } = await held(userId)
    return { used, limit: limit >= UNBOUNDED_BYTES ? used + Math.max(0, await spareBytes()) : limit }
  }

  /** Below zero where the reserve itself is being used. */
  const spareBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize - reserveBytes
  }

  async function needDisk(bytes: number): Promise<void> {
    if ((await spareBytes()) < bytes) throw diskFull()
  }

  /** Refuses what cannot fit, before its bytes travel; answers how much the user has left. `announced`: of other uploads under way. */
  async function need(userId: string, bytes: number, announced = 0): Promise<Left> {
    await needDisk(bytes)
    const [{ used, limit }, words] = await Promise.all([held(userId), storageWords(userId)])
    const now = { used: used + announced, limit }
    const left = {
      bytes: Math.max(0, now.limit - now.used),
      refusal: (needed: number) => new DomainError('storage_full', noRoomWords(now, needed, words)),
    }
    if (bytes > left.bytes || left.bytes === 0) throw left.refusal(bytes)
    return left
  }

  /** How large what is made of a video may get. It counts where it is larger than its original: a video takes its room once. */
  async function forMaster(video: Pick<VideoRow, 'user_id' | 'original_bytes' | 'master_bytes'>): Promise<Left> {
    const [{ used, limit }, words, spare] = await Promise.all([
      held(video.user_id),
      storageWords(video.user_id),
      spareBytes(),
    ])
    const bytes = Math.max(0, limit - used) + Math.max(video.original_bytes, video.master_bytes)
    if (spare < bytes) return { bytes: spare, refusal: diskFull }
    return { bytes, refusal: () => new DomainError('storage_full', `${VIDEO_TEXTS.masterTooLarge} ${words}`.trimEnd()) }
  }

  return { use, need, needDisk, forMaster }
}

const diskFull = (): DomainError => new DomainError('storage_full', VIDEO_TEXTS.diskFull)
