import { statfs } from 'node:fs/promises'
import { OPEN_UPLOADS_MAX } from '@siarin/contracts/limits'
import type { PlanId } from '@siarin/contracts/plans'
import { noRoomReason } from '@siarin/contracts/room'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { StorageUse } from '@siarin/contracts/videos'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { createDiskShares } from './disk-shares.ts'
import type { LibraryRepo, VideoRow } from './library.repo.ts'
import type { ReservationKind, ReservationsRepo } from './reservations.repo.ts'
import { diskFull, VideoRefused } from './video-refused.ts'

/** What a user may have. */
export interface LibraryLimits {
  readonly storageBytes: number
  readonly maxHeight: number
  readonly maxFps: number
}

interface RoomDeps {
  repo: Pick<LibraryRepo, 'usedBytes'>
  reservations: ReservationsRepo
  clock: Clock
  log: Log
  limitsOf: (userId: string) => Promise<LibraryLimits>
  /** Whose limit it is where there is no room; null where no plan is at fault. */
  roomPlanOf: (userId: string) => Promise<PlanId | null>
  dataDir: string
  /** Left free for the database and for what runs. */
  reserveBytes: () => number
  freeBytes?: (folder: string) => Promise<number>
}

/** How many more bytes a user has, and what is said of more than that. */
export interface Left {
  readonly bytes: number
  refusal(needed: number): DomainError
}

/** Room for bytes that are on their way. */
export interface Reservation {
  /** Asked before the byte `upTo` is written: refuses it, or answers up to which byte nobody needs to ask again. */
  admit(upTo: number): Promise<number>
  /** The bytes up to there lie on the disk. */
  wrote(upTo: number): void
  /** Nothing is written for now: the user's room stays reserved, that of the disk does not. */
  rest(): void
  /** Nothing of it is on its way any more. */
  release(): Promise<void>
}

interface Coming {
  readonly id: string
  readonly userId: string
  readonly kind: ReservationKind
  /** Null: nobody has said how much it is. */
  readonly bytes: number | null
  /** How much of it lies on the disk already: a resumed upload. */
  readonly arrivedBytes?: number
}

/** Whoever is held to no limit has what the disk has. */
const UNBOUNDED_BYTES = 100_000 * 1024 ** 3

/** So much is reserved ahead of what nobody has announced. */
const STEP_BYTES = 64 * 1024 ** 2

/** A body that is being read is held by its reader. A tus upload waits for its sender, for as long as its file is kept. */
const HELD_MS: Readonly<Record<ReservationKind, number>> = { multipart: 300_000, import: 300_000, tus: 86_400_000 }
const HOLD_EVERY_MS = 60_000
const HOLD_TUS_EVERY_MS = 3_600_000

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export type Room = ReturnType<typeof createRoom>

export function createRoom(deps: RoomDeps) {
  const { repo, reservations, clock, log, limitsOf, roomPlanOf, dataDir, reserveBytes, freeBytes = freeOnDisk } = deps
  const held = holdAgainAndAgain()
  const shares = createDiskShares(spareBytes, diskFull)

  async function useOf(userId: string): Promise<StorageUse> {
    const [used, { storageBytes }] = await Promise.all([repo.usedBytes(userId), limitsOf(userId)])
    return { used, limit: storageBytes }
  }

  /** As it is shown. */
  async function use(userId: string): Promise<StorageUse> {
    const { used, limit } = await useOf(userId)
    return { used, limit: limit >= UNBOUNDED_BYTES ? used + Math.max(0, await spareBytes()) : limit }
  }

  /** Below zero where the reserve itself is being used. */
  async function spareBytes(): Promise<number> {
    return (await freeBytes(dataDir)) - reserveBytes()
  }

  /** Beside all that others have announced. */
  const needDisk = shares.assertRoom

  /** Refuses what cannot fit beside all that is on its way. It reserves nothing: for whoever only wants to say so early. */
  async function need(userId: string, bytes: number): Promise<void> {
    await needDisk(bytes)
    await needRoom(userId, bytes, '')
  }

  /** Asks for the user's room alone: a file that has arrived takes no more of the disk. */
  async function needRoom(userId: string, bytes: number, ownId: string): Promise<void> {
    const now = clock.now()
    const [{ used, limit }, others] = await Promise.all([
      useOf(userId),
      reservations.othersOf({ userId, id: ownId, now }),
    ])
    const taken = used + others.bytes
    if (bytes <= limit - taken && taken < limit) return
    throw noRoom({ used: taken, limit }, bytes, await roomPlanOf(userId))
  }

  async function ask({ id, userId, kind }: Coming, atLeast: number, atMost: number): Promise<number> {
    const { storageBytes: limit } = await limitsOf(userId)
    const now = clock.now()
    const verdict = await reservations.reserve({
      ...{ id, userId, kind, atLeast, atMost, limit, now },
      mostOpen: OPEN_UPLOADS_MAX,
      heldUntil: now + HELD_MS[kind],
    })
    if (verdict.outcome === 'granted') return verdict.bytes
    if (verdict.outcome === 'too-many') {
      throw new DomainError('upload_limit_reached', VIDEO_TEXTS.tooManyUploads(OPEN_UPLOADS_MAX))
    }
    throw noRoom({ used: verdict.taken, limit }, atLeast, await roomPlanOf(userId))
  }

  /** Before its bytes travel. The same id again goes on with what it had. */
  async function reserve(coming: Coming): Promise<Reservation> {
    const announced = coming.bytes ?? 0
    await shares.begin(coming.id, { announced, arrived: coming.arrivedBytes ?? 0 })
    let granted = await ask(coming, announced, announced).catch((error) => {
      shares.end(coming.id)
      throw error
    })
    if (coming.kind !== 'tus') held.add(coming)
    let heldAt = clock.now()
    /** One request may bring bytes for longer than a day. */
    const holdOn = async (): Promise<void> => {
      if (coming.kind !== 'tus' || clock.now() - heldAt < HOLD_TUS_EVERY_MS) return
      heldAt = clock.now()
      await reservations.hold([coming.id], heldAt + HELD_MS.tus)
    }
    return {
      async admit(upTo) {
        await holdOn()
        if (upTo > granted) granted = await ask(coming, upTo, upTo + STEP_BYTES)
        return shares.admit(coming.id, upTo, granted)
      },
      wrote: (upTo) => shares.wrote(coming.id, upTo),
      rest: () => shares.end(coming.id),
      async release() {
        shares.end(coming.id)
        held.remove(coming)
        await reservations.release(coming.id)
      },
    }
  }

  /** Whether what has arrived was announced; what was not, or came from before, is judged now. */
  async function needReserved(id: string, userId: string, bytes: number): Promise<void> {
    if ((await reservations.bytesOf(id, clock.now())) < bytes) await needRoom(userId, bytes, id)
  }

  /** How large what is made of a video may get. It counts where it is larger than its original: a video takes its room once. */
  async function forMaster(video: Pick<VideoRow, 'user_id' | 'original_bytes' | 'master'>): Promise<Left> {
    const [{ used, limit }, plan, spare] = await Promise.all([
      useOf(video.user_id),
      roomPlanOf(video.user_id),
      spareBytes(),
    ])
    const bytes = Math.max(0, limit - used) + Math.max(video.original_bytes, video.master?.bytes ?? 0)
    if (spare < bytes) return { bytes: spare, refusal: diskFull }
    return { bytes, refusal: () => new VideoRefused('storage_full', { code: 'master-too-large', plan }) }
  }

  /** A crash says nothing: what nobody holds any more lapses by itself. */
  function holdAgainAndAgain() {
    const open = new Set<string>()
    let timer: NodeJS.Timeout | undefined
    const holdAll = (): void => {
      const ids = [...open]
      const work = ids.length === 0 ? Promise.resolve() : reservations.hold(ids, clock.now() + HELD_MS.multipart)
      work.catch((error) => log.warn({ err: error }, 'uploads under way could not be noted'))
    }
    return {
      add({ id }: Coming): void {
        open.add(id)
        timer ??= setInterval(holdAll, HOLD_EVERY_MS).unref()
      },
      remove({ id }: Coming): void {
        open.delete(id)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      },
    }
  }

  return { use, need, needDisk, reserve, needReserved, forMaster }
}

const noRoom = (now: StorageUse, needed: number, plan: PlanId | null): DomainError =>
  new VideoRefused('storage_full', noRoomReason(now, needed, plan))
