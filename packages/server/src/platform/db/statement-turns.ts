// Not the global ones: a test that moves time by hand would stop the database.
import { setImmediate, setTimeout } from 'node:timers'
import { createLoopTurn, TURN_MS } from '../loop-turn.ts'
import { presentOwner } from '../on-behalf-of.ts'
import { createOwnerShares, type Owner } from '../owner-shares.ts'

/** For how long statements of an owner that has used little of its share, or of the program itself, may follow others before the event loop turns. */
const LIGHT_TURN_MS = 3 * TURN_MS
const LOOK_AGAIN_MS = 1

/**
 * A connection, taken in turns by all. A statement is over before anything else happens, so those that follow each other, of one caller or of
 * many, would keep the event loop until the last of them is done: after some milliseconds the next one waits until the loop has turned.
 *
 * First come, first served would let one account with dear statements make everybody wait for one of them at each of their own. So the owner
 * that has used least is next; and one that has used more than its share waits even while nobody else does, as long as others are there:
 * their next statement is only moments away. The program's own statements, on which broadcasts depend, never wait for that.
 */
export function createStatementTurns(now: () => number = () => performance.now()) {
  const owners = createOwnerShares(now)
  /** 'resting': owners that have used much wait until the loop has turned. */
  let line: 'free' | 'held' | 'resting' = 'free'
  let holder: { readonly owner: Owner; readonly sinceMs: number } | null = null
  const turn = createLoopTurn(now)
  let looksAgain = false

  function isLoopHeld(owner: Owner | null = null): boolean {
    if (!turn.hasRoom(owner && owners.isLight(owner) ? LIGHT_TURN_MS : TURN_MS)) return true
    turn.begin()
    return false
  }

  function hold(owner: Owner): void {
    line = 'held'
    holder = { owner, sinceMs: now() }
  }

  function rest(): void {
    line = 'resting'
    setImmediate(() => {
      if (line === 'resting') passOn()
    })
  }

  function passOn(): void {
    line = 'free'
    const next = owners.next()
    if (next && isLoopHeld(next)) {
      rest()
    } else if (next) {
      hold(next)
      next.waiting.shift()?.()
    } else if (owners.doesAnyWait() && !looksAgain) {
      looksAgain = true
      setTimeout(() => {
        looksAgain = false
        if (line === 'free') passOn()
      }, LOOK_AGAIN_MS)
    }
  }

  return {
    async take(): Promise<void> {
      const owner = owners.named(presentOwner())
      const isOpen = line === 'free' || (line === 'resting' && owners.isLight(owner))
      if (isOpen && owner.waiting.length === 0 && owners.mayGo(owner) && !isLoopHeld(owner)) {
        hold(owner)
        return
      }
      const itsTurn = new Promise<void>((resolve) => owner.waiting.push(resolve))
      if (line === 'free') rest()
      await itsTurn
    },
    /** Between statements of one turn, as those of a transaction are: lets the event loop turn once they have kept it for long. */
    async breathe(): Promise<void> {
      if (isLoopHeld()) await new Promise<void>((resolve) => setImmediate(resolve))
    },
    /** The turn passes to the next; nobody can slip in between. */
    give(): void {
      if (holder) owners.charge(holder.owner, now() - holder.sinceMs)
      holder = null
      passOn()
    },
  }
}
