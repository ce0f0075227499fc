interface ImportPlacesOptions {
  /** How many imports are under way at once. */
  readonly most: number
  /** So many of them are kept for users whose imports have not had to give way lately. */
  readonly keptForOthers: number
  /** An import is not judged before it has had so long to begin. */
  readonly settledMs: number
  /** For so long a user whose import had to give way comes behind the others. */
  readonly putOffMs: number
}

interface UnderWay {
  readonly userId: string
  readonly sinceMs: number
  readonly abort: AbortController
  arrived: number
}

export interface ImportPlace {
  /** Aborted: it brings least of all, and somebody else needs the place. */
  readonly signal: AbortSignal
  noteArrived(bytes: number): void
  giveBack(): void
}

export type ImportPlaces = ReturnType<typeof createImportPlaces>

/**
 * Nobody knows beforehand which server will hang. Where every place is taken and somebody waits, the import that has brought least for its
 * time gives way: those that hang hold up nobody, and a large file from a usual server is not the one.
 */
export function createImportPlaces({ most, keptForOthers, settledMs, putOffMs }: ImportPlacesOptions) {
  const underWay = new Set<UnderWay>()
  const waiting = new Set<() => void>()
  /** Until when, by user. */
  const putOff = new Map<string, number>()
  let looksAgain = false

  function slowestSettled(): UnderWay | null {
    const now = performance.now()
    const paceOf = ({ arrived, sinceMs }: UnderWay): number => arrived / (now - sinceMs)
    let slowest: UnderWay | null = null
    for (const each of underWay) {
      if (now - each.sinceMs < settledMs) continue
      if (!slowest || paceOf(each) < paceOf(slowest)) slowest = each
    }
    return slowest
  }

  function beginWaiting(): void {
    for (const begin of waiting) {
      if (underWay.size >= most && !makeOneGiveWay()) {
        lookAgain()
        return
      }
      waiting.delete(begin)
      begin()
    }
  }

  function lookAgain(): void {
    if (looksAgain) return
    looksAgain = true
    setTimeout(() => {
      looksAgain = false
      beginWaiting()
    }, settledMs / 5)
  }

  function makeOneGiveWay(): boolean {
    const slowest = slowestSettled()
    if (!slowest) return false
    const now = performance.now()
    for (const [userId, untilMs] of putOff) if (untilMs <= now) putOff.delete(userId)
    putOff.set(slowest.userId, now + putOffMs)
    underWay.delete(slowest)
    slowest.abort.abort()
    return true
  }

  function take(userId: string): ImportPlace {
    const own: UnderWay = { userId, sinceMs: performance.now(), abort: new AbortController(), arrived: 0 }
    underWay.add(own)
    return {
      signal: own.abort.signal,
      noteArrived(bytes) {
        own.arrived = bytes
      },
      giveBack() {
        if (underWay.delete(own)) beginWaiting()
      },
    }
  }

  return {
    /** Whether this user's next one comes behind everybody else's: one had to give way, and only the kept places are left. */
    hasToWait: (userId: string): boolean =>
      (putOff.get(userId) ?? 0) > performance.now() && underWay.size >= most - keptForOthers,
    /** Null: `signal` was aborted while it waited. */
    enter(userId: string, signal: AbortSignal): Promise<ImportPlace | null> {
      return new Promise((resolve) => {
        const begin = (): void => {
          signal.removeEventListener('abort', giveUp)
          resolve(take(userId))
        }
        const giveUp = (): void => {
          waiting.delete(begin)
          resolve(null)
        }
        signal.addEventListener('abort', giveUp, { once: true })
        waiting.add(begin)
        if (signal.aborted) giveUp()
        else beginWaiting()
      })
    },
  }
}
