// Not the global ones: a test that moves time by hand would stop the database.
import { setImmediate, setTimeout } from 'node:timers'
import { createLoopTurn, TURN_MS } from '../loop-turn.ts'
import { presentOwner } from '../on-behalf-of.ts'

/** For how long statements of an owner that has used little of its share, or of the program itself, may follow others before the event loop turns. */
const LIGHT_TURN_MS = 3 * TURN_MS
/** How much of the time an owner has while others are there, how much it may use at once, and how much beyond that is held against it. */
const SHARE = 0.5
const BURST_MS = 10
const MOST_DEBT_MS = 50
/** For how long an owner counts as being there after its last statement. */
const PRESENT_MS = 50
/** Beyond so many owners, those that are not there any more are forgotten. */
const MANY_OWNERS = 100
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
  const owners = createOwners(now)
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

interface Owner {
  readonly isProgram: boolean
  /** In milliseconds of the connection. Less than none: it has used more than its share. */
  credit: number
  creditAt: number
  lastAt: number
  readonly waiting: (() => void)[]
}

function createOwners(now: () => number) {
  const owners = new Map<string | null, Owner>()
  let many = MANY_OWNERS

  function creditOf(owner: Owner): number {
    const atMs = now()
    owner.credit = Math.min(BURST_MS, owner.credit + (atMs - owner.creditAt) * SHARE)
    owner.creditAt = atMs
    return owner.credit
  }

  const isPresent = ({ waiting, lastAt }: Owner): boolean => waiting.length > 0 || now() - lastAt <= PRESENT_MS

  function isAlone(owner: Owner): boolean {
    for (const other of owners.values()) if (other !== owner && isPresent(other)) return false
    return true
  }

  const mayGo = (owner: Owner): boolean => owner.isProgram || creditOf(owner) > 0 || isAlone(owner)

  function forgetAbsent(): void {
    for (const [name, owner] of owners) {
      if (!isPresent(owner) && creditOf(owner) >= BURST_MS) owners.delete(name)
    }
    many = Math.max(MANY_OWNERS, 2 * owners.size)
  }

  return {
    named(name: string | null): Owner {
      const known = owners.get(name)
      if (known) return known
      if (owners.size >= many) forgetAbsent()
      const times = { creditAt: now(), lastAt: now() }
      const fresh = { isProgram: name === null, credit: BURST_MS, ...times, waiting: [] }
      owners.set(name, fresh)
      return fresh
    },
    mayGo,
    isLight: (owner: Owner): boolean => owner.isProgram || creditOf(owner) > BURST_MS / 2,
    doesAnyWait: (): boolean => [...owners.values()].some(({ waiting }) => waiting.length > 0),
    /** The one that has used least, of those that wait and may go. */
    next(): Owner | null {
      let next: { readonly name: string | null; readonly owner: Owner } | null = null
      for (const [name, owner] of owners) {
        if (owner.waiting.length === 0 || (next && creditOf(owner) <= creditOf(next.owner))) continue
        if (mayGo(owner)) next = { name, owner }
      }
      // Behind the others that have as much: several that are never without a statement would take turns among themselves.
      if (next && owners.delete(next.name)) owners.set(next.name, next.owner)
      return next?.owner ?? null
    },
    charge(owner: Owner, usedMs: number): void {
      owner.credit = Math.max(-MOST_DEBT_MS, creditOf(owner) - usedMs)
      owner.lastAt = now()
    },
  }
}
