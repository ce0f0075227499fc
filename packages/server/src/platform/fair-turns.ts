/** Does the work once there is a place for it. `owner`: has one under way at a time. `always`: is not sent away, however many wait. */
type InFairTurn = <T>(owner: string, work: () => Promise<T>, how?: { always: boolean }) => Promise<T>

interface FairTurns {
  readonly atOnce: number
  readonly mostWaiting: number
  /** The same for one owner. */
  readonly mostWaitingEach: number
}

/** The caller has to come back later. */
export class TooManyWaitError extends Error {
  constructor() {
    super('too many wait already')
    this.name = 'TooManyWaitError'
  }
}

/** So many works at once, one per owner, and the owners in turn: one who brings a hundred holds up nobody who brings one. */
export function createFairTurns({ atOnce, mostWaiting, mostWaitingEach }: FairTurns): InFairTurn {
  /** In the order in which the owners are next. */
  const waiting = new Map<string, (() => void)[]>()
  const busy = new Set<string>()
  let waitingCount = 0

  function begin(): void {
    for (const [owner, works] of waiting) {
      if (busy.size >= atOnce) return
      if (busy.has(owner)) continue
      const [next, ...later] = works
      waiting.delete(owner)
      if (later.length > 0) waiting.set(owner, later)
      waitingCount--
      busy.add(owner)
      next?.()
    }
  }

  function turn(owner: string, always: boolean): Promise<void> {
    const own = waiting.get(owner) ?? []
    if (!always && (own.length >= mostWaitingEach || waitingCount >= mostWaiting)) throw new TooManyWaitError()
    return new Promise((resolve) => {
      waiting.set(owner, [...own, resolve])
      waitingCount++
      begin()
    })
  }

  return async (owner, work, { always } = { always: false }) => {
    await turn(owner, always)
    try {
      return await work()
    } finally {
      busy.delete(owner)
      begin()
    }
  }
}
