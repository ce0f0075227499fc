interface How {
  /** Is not sent away, however many wait. */
  readonly always?: boolean
  /** Who gives up while waiting is refused with the signal's reason, and keeps no place. */
  readonly signal?: AbortSignal | undefined
}

/** Does the work once there is a place for it. `isWaitedFor`: somebody else could begin at its place. */
type InFairTurn = <T>(owner: string, work: (isWaitedFor: () => boolean) => Promise<T>, how?: How) => Promise<T>

interface FairTurns {
  readonly atOnce: number
  /** How many of one owner are under way at once. */
  readonly each?: number
  /** In all. An owner of whom nothing waits is let in beyond that, until as many owners wait. */
  readonly mostWaiting: number
  readonly mostWaitingEach: number
}

/** The caller has to come back later. */
export class TooManyWaitError extends Error {
  constructor() {
    super('too many wait already')
    this.name = 'TooManyWaitError'
  }
}

/** So many works at once, and the owners in turn: one who brings a hundred holds up nobody who brings one. */
export function createFairTurns({ atOnce, each = 1, mostWaiting, mostWaitingEach }: FairTurns): InFairTurn {
  /** In the order in which the owners are next. */
  const waiting = new Map<string, (() => void)[]>()
  const busy = new Map<string, number>()
  let busyCount = 0
  let waitingCount = 0

  function count(owner: string, more: 1 | -1): void {
    const own = (busy.get(owner) ?? 0) + more
    if (own > 0) busy.set(owner, own)
    else busy.delete(owner)
    busyCount += more
  }

  function begin(): void {
    for (const [owner, works] of waiting) {
      if (busyCount >= atOnce) return
      if (!mayBegin(owner)) continue
      // In its place: one owner may have thousands, and a copy for each of them would take their square.
      const next = works.shift()
      waiting.delete(owner)
      if (works.length > 0) waiting.set(owner, works)
      waitingCount--
      count(owner, 1)
      next?.()
    }
  }

  const mayBegin = (owner: string): boolean => (busy.get(owner) ?? 0) < each
  const isWaitedFor = (): boolean => [...waiting.keys()].some(mayBegin)

  function leave(owner: string, own: () => void): void {
    const works = waiting.get(owner) ?? []
    works.splice(works.indexOf(own), 1)
    if (works.length === 0) waiting.delete(owner)
    waitingCount--
  }

  function turn(owner: string, { always = false, signal }: How): Promise<void> {
    signal?.throwIfAborted()
    const own = waiting.get(owner) ?? []
    // The turns are fair among those who got in: a few owners who fill the line must keep nobody else out of it.
    const mostOwn = waitingCount < mostWaiting ? mostWaitingEach : waiting.size < mostWaiting ? 1 : 0
    if (!always && own.length >= mostOwn) throw new TooManyWaitError()
    return new Promise((resolve, reject) => {
      const come = (): void => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = (): void => {
        leave(owner, come)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      own.push(come)
      waiting.set(owner, own)
      waitingCount++
      begin()
    })
  }

  return async (owner, work, how = {}) => {
    await turn(owner, how)
    try {
      return await work(isWaitedFor)
    } finally {
      count(owner, -1)
      begin()
    }
  }
}
