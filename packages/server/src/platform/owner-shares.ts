/** How much of the time an owner has while others are there, how much it may use at once, and how much beyond that is held against it. */
const SHARE = 0.5
const BURST_MS = 10
const MOST_DEBT_MS = 50
/** For how long an owner counts as being there after its last use. */
const PRESENT_MS = 50
/** Beyond so many owners, those that are not there any more are forgotten. */
const MANY_OWNERS = 100

export interface Owner {
  readonly isProgram: boolean
  /** In milliseconds of the connection. Less than none: it has used more than its share. */
  credit: number
  creditAt: number
  lastAt: number
  readonly waiting: (() => void)[]
}

/**
 * Owners who share something that one has at a time. One that has used more than its share waits while others are there, as long as that is, even
 * if none of them waits at that moment. Work of the program itself never waits for that.
 */
export function createOwnerShares(now: () => number) {
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
