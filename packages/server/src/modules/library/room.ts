import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import type { PlanId } from '@siarin/contracts/plans'
import type { StorageUse } from '@siarin/contracts/videos'
import type { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { createSharedWork } from '../../platform/shared-work.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { createDiskShares, createGrowth, type Grow } from './disk-shares.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { ReservationsRepo } from './reservations.repo.ts'
import { createReserver } from './reserve-room.ts'
import { diskFull, noRoom, VideoRefused } from './video-refused.ts'
import type { VideoRow } from './video-row.ts'

/** What a user may have. */
export interface LibraryLimits {
  readonly storageBytes: number
  readonly maxHeight: number
  readonly maxFps: number
  /** As of a plan (PlanLimits). */
  readonly makingHours: number
}

interface RoomDeps {
  repo: Pick<LibraryRepo, 'usedBytes'>
  reservations: Pick<ReservationsRepo, 'othersOf' | 'bytesOf' | 'reserve' | 'hold' | 'release'>
  clock: Clock
  log: Log
  limitsOf: (userId: string) => Promise<LibraryLimits>
  /** Whose limit it is where there is no room; null where no plan is at fault. */
  roomPlanOf: (userId: string) => Promise<PlanId | null>
  /** Where files come in, and masters are made. */
  dataDir: string
  /** Where they end: on the disk of `dataDir`, unless it tells of a room of its own. */
  storage?: Pick<Storage, 'room'>
  /** Left free for the database and for what runs. */
  reserveBytes: () => number
  freeBytes?: (folder: string) => Promise<number>
}

/** How many more bytes a user has, and what is said of more than that. */
export interface Left {
  readonly bytes: number
  refusal(needed: number): DomainError
}

/** A user without a limit has what the disk has, or the cache of a store. */
const UNBOUNDED_BYTES = 100_000 * 1024 ** 3

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export type Room = ReturnType<typeof createRoom>

export function createRoom(deps: RoomDeps) {
  const { repo, reservations, clock, log, limitsOf, roomPlanOf, dataDir, reserveBytes, freeBytes = freeOnDisk } = deps
  const shares = createDiskShares(spareBytes, diskFull)
  const shared = createSharedWork<number>()

  /** Below zero where the reserve itself is being used. */
  async function spareBytes(): Promise<number> {
    return (await freeBytes(dataDir)) - reserveBytes()
  }

  /** Null: what is stored lies on the disk of `dataDir`. */
  const pinRoomBytes = async (): Promise<number | null> => (await deps.storage?.room?.())?.bytes ?? null

  type UsedBy = (userId: string) => Promise<number>
  const usedBy: UsedBy = (userId) => repo.usedBytes(userId)
  /** Thousands of videos are summed up: once for all who ask meanwhile, where nothing is judged by it for good. */
  const usedAbout: UsedBy = (userId) => shared(userId, () => usedBy(userId))

  async function useOf(userId: string, used: UsedBy): Promise<StorageUse> {
    const [bytes, { storageBytes }] = await Promise.all([used(userId), limitsOf(userId)])
    return { used: bytes, limit: storageBytes }
  }

  /** Asks for the user's room alone: a file that has arrived takes no more of the disk. */
  async function assertUserRoom(userId: string, bytes: number, ownId: string, usedOf = usedBy): Promise<void> {
    const now = clock.now()
    const [{ used, limit }, others] = await Promise.all([
      useOf(userId, usedOf),
      reservations.othersOf({ userId, id: ownId, now }),
    ])
    const taken = used + others.bytes
    if (bytes <= limit - taken && taken < limit) return
    throw noRoom({ used: taken, limit }, bytes, await roomPlanOf(userId))
  }

  return {
    reserve: createReserver({ reservations, shares, clock, log, limitsOf, roomPlanOf }),

    /** As it is shown. */
    async use(userId: string): Promise<StorageUse> {
      const { used, limit } = await useOf(userId, usedAbout)
      if (limit < UNBOUNDED_BYTES) return { used, limit }
      // Nobody knows how much a store elsewhere takes, but a video has to fit on this machine to be inspected.
      return { used, limit: used + Math.max(0, (await pinRoomBytes()) ?? (await spareBytes())) }
    },

    /** Refuses what comes into a store elsewhere and could not be read on this machine afterwards. */
    async assertPinRoom(bytes: number): Promise<void> {
      const left = await pinRoomBytes()
      if (left !== null && left < bytes) throw diskFull()
    },

    /** Refuses what is to be made and does not fit on the disk. */
    assertDiskRoom: shares.assertRoomToMake,

    /** Makes a file of about so many bytes, which has a share of the disk meanwhile as an upload has. `grow` hears how large it is. */
    async withDiskShare<T>(announced: number, make: (grow: Grow) => Promise<T>): Promise<T> {
      // Not by its video: its upload may still have a share of that name.
      const id = `made-${randomUUID()}`
      await shares.beginToMake(id, announced)
      try {
        return await make(createGrowth(shares, id))
      } finally {
        shares.end(id)
      }
    },

    /** Refuses what cannot fit beside all that is on its way. It reserves nothing: for those who only want to say so early. */
    async assertRoom(userId: string, bytes: number): Promise<void> {
      await shares.assertRoom(bytes)
      await assertUserRoom(userId, bytes, '', usedAbout)
    },

    /** Whether what has arrived was announced; what was not, or came from before, is judged now. */
    async assertReserved(id: string, userId: string, bytes: number): Promise<void> {
      if ((await reservations.bytesOf(id, clock.now())) < bytes) await assertUserRoom(userId, bytes, id)
    },

    /** How large its owner's room lets a master get. It counts where it is larger than its original: a video takes its room once. */
    async forMaster(video: Pick<VideoRow, 'user_id' | 'original_bytes' | 'master'>): Promise<Left> {
      const [{ used, limit }, plan] = await Promise.all([useOf(video.user_id, usedBy), roomPlanOf(video.user_id)])
      const bytes = Math.max(0, limit - used) + Math.max(video.original_bytes, video.master?.bytes ?? 0)
      return { bytes, refusal: () => new VideoRefused('storage_full', { code: 'master-too-large', plan }) }
    },

    /** How large its owner's room lets one more rendition of a video get. `madeBytes`: of those that there are, its master too. */
    async forRendition(video: Pick<VideoRow, 'user_id' | 'original_bytes'>, madeBytes: number): Promise<Left> {
      const [{ used, limit }, plan] = await Promise.all([useOf(video.user_id, usedBy), roomPlanOf(video.user_id)])
      // What is made counts once it is more than the original.
      const uncounted = Math.max(0, video.original_bytes - madeBytes)
      const left = Math.max(0, limit - used) + uncounted
      return { bytes: left, refusal: (needed) => noRoom({ used: limit - left, limit }, needed, plan) }
    },
  }
}
