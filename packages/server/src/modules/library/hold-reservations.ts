import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { ReservationKind } from './judge-reservation.ts'
import type { ReservationsRepo } from './reservations.repo.ts'

/** The reader of a body holds its reservation. A tus upload waits for its sender, for as long as its file is kept. */
export const HELD_MS: Readonly<Record<ReservationKind, number>> = {
  multipart: 300_000,
  import: 300_000,
  tus: 86_400_000,
}
const HOLD_EVERY_MS = 60_000
const HOLD_TUS_EVERY_MS = 3_600_000

interface HolderDeps {
  reservations: Pick<ReservationsRepo, 'hold'>
  clock: Clock
  log: Log
}

/** A crash says nothing: a reservation that nobody holds any more lapses by itself. */
export function createHolder({ reservations, clock, log }: HolderDeps) {
  const open = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const holdAll = (): void => {
    const ids = [...open]
    const work = ids.length === 0 ? Promise.resolve() : reservations.hold(ids, clock.now() + HELD_MS.multipart)
    work.catch((error) => log.warn({ err: error }, 'uploads under way could not be noted'))
  }
  return {
    /** Each minute from now on, until `remove`. */
    add(id: string): void {
      open.add(id)
      timer ??= setInterval(holdAll, HOLD_EVERY_MS).unref()
    },
    remove(id: string): void {
      open.delete(id)
      if (open.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
    /** For a tus upload, called with each of its writes: one request may bring bytes for longer than a day. */
    whileWritten(id: string): () => Promise<void> {
      let heldAt = clock.now()
      return async () => {
        if (clock.now() - heldAt < HOLD_TUS_EVERY_MS) return
        heldAt = clock.now()
        await reservations.hold([id], heldAt + HELD_MS.tus)
      }
    },
  }
}
