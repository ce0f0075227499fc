// Not the global ones: a test that moves time by hand would stop the database.
import { setImmediate, setTimeout } from 'node:timers'
import { createOwnerShares, type Owner } from './owner-shares.ts'

const LOOK_AGAIN_MS = 2

/**
 * How much of the event loop each owner has. With PostgreSQL what an owner's statements cost here is what follows from their rows: one who
 * lists much, six lists at once, would have all of each turn, and everybody else a few milliseconds of each of theirs.
 */
export function createLoopShares(now: () => number = () => performance.now()) {
  const owners = createOwnerShares(now)
  let current: Owner | null = null
  let sinceMs = 0
  let isTurnEndPlanned = false

  function passTo(next: Owner | null): void {
    if (current) owners.charge(current, now() - sinceMs)
    current = next
    sinceMs = now()
  }

  return {
    /** From here until the loop turns, or goes on with somebody else, it is at work for this owner; null: for the program itself. */
    goOnFor(name: string | null): void {
      passTo(name === null ? null : owners.named(name))
      if (isTurnEndPlanned) return
      isTurnEndPlanned = true
      setImmediate(() => {
        isTurnEndPlanned = false
        passTo(null)
      })
    },
    /** One that has used more than its share waits while others are there, a tenth of a second at most. */
    async untilIn(name: string): Promise<void> {
      while (!owners.mayGo(owners.named(name))) await new Promise<void>((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    },
  }
}

export const loopShares = createLoopShares()
