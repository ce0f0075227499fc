import { OPEN_UPLOADS_MAX, VIDEOS_MAX } from '@siarin/contracts/limits'
import type { PlanId } from '@siarin/contracts/plans'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { DiskShares } from './disk-shares.ts'
import { createHolder, HELD_MS } from './hold-reservations.ts'
import type { ReservationKind } from './judge-reservation.ts'
import type { ReservationsRepo } from './reservations.repo.ts'
import { noRoom, tooManyVideos } from './video-refused.ts'

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

interface ReserverDeps {
  reservations: Pick<ReservationsRepo, 'reserve' | 'hold' | 'release'>
  shares: DiskShares
  clock: Clock
  log: Log
  limitsOf: (userId: string) => Promise<{ readonly storageBytes: number }>
  roomPlanOf: (userId: string) => Promise<PlanId | null>
}

/** So much is reserved ahead of what nobody has announced. */
const STEP_BYTES = 64 * 1024 ** 2

/** Reserves room before bytes travel. The same id again goes on with what it had. */
export function createReserver(deps: ReserverDeps): (coming: Coming) => Promise<Reservation> {
  const { reservations, shares, clock, log, limitsOf, roomPlanOf } = deps
  const holder = createHolder({ reservations, clock, log })

  async function ask({ id, userId, kind }: Coming, atLeast: number, atMost: number): Promise<number> {
    const { storageBytes: limit } = await limitsOf(userId)
    const now = clock.now()
    const verdict = await reservations.reserve({
      ...{ id, userId, kind, atLeast, atMost, limit, now },
      mostOpen: OPEN_UPLOADS_MAX,
      mostVideos: VIDEOS_MAX,
      heldUntil: now + HELD_MS[kind],
    })
    if (verdict.outcome === 'granted') return verdict.bytes
    if (verdict.outcome === 'too-many') {
      throw new DomainError('upload_limit_reached', VIDEO_TEXTS.tooManyUploads(OPEN_UPLOADS_MAX))
    }
    if (verdict.outcome === 'too-many-videos') throw tooManyVideos()
    throw noRoom({ used: verdict.taken, limit }, atLeast, await roomPlanOf(userId))
  }

  return async (coming) => {
    const { id, kind, bytes, arrivedBytes: arrived = 0 } = coming
    const announced = bytes ?? 0
    // First: what it may not have must not count for the others, not even while that is found out.
    let granted = await ask(coming, announced, announced)
    await shares.begin(id, { announced, arrived }).catch(async (error) => {
      // A resumable upload has had its room since it was created.
      if (kind !== 'tus') await reservations.release(id)
      throw error
    })
    if (kind !== 'tus') holder.add(id)
    const holdOn = kind === 'tus' ? holder.whileWritten(id) : async () => {}
    return {
      async admit(upTo) {
        await holdOn()
        if (upTo > granted) granted = await ask(coming, upTo, upTo + STEP_BYTES)
        return shares.admit(id, upTo, granted)
      },
      wrote: (upTo) => shares.wrote(id, upTo),
      rest: () => shares.end(id),
      async release() {
        shares.end(id)
        holder.remove(id)
        await reservations.release(id)
      },
    }
  }
}
