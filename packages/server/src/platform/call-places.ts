import { createSlowShare } from './slow-share.ts'

interface CallPlacesOptions {
  /** How many of one owner's calls are worked on at once, and how many may wait for that. */
  readonly each: number
  readonly waitingEach: number
  /** The same of all owners together. Calls that take longer than `slowMs`, such as those that wait for a platform, do not count. */
  readonly inAll: number
  readonly slowMs: number
  /** How long one turn of the event loop may last before it has room only for owners that had none of it. */
  readonly turnMs: number
}

/** What a place is given back by. */
export type Leave = () => void

export type CallPlaces = ReturnType<typeof createCallPlaces>

interface Waiting {
  begin(leave: Leave): void
}

/**
 * Few places for each owner's calls, and the owners in turn: one who sends hundreds at once holds up nobody who sends one.
 *
 * Counting what is under way is not enough. A call that never waits for anything outside the program, as with SQLite, is over before the
 * next one is read, and hundreds of them fill one turn of the event loop without two being under way. So a turn that lasts too long serves
 * each owner once, and those that wait begin one by one, each in a turn of its own in which new calls are read.
 */
export function createCallPlaces({ each, waitingEach, inAll, slowMs, turnMs }: CallPlacesOptions) {
  const places = createSlowShare(inAll, { most: Number.POSITIVE_INFINITY })
  const turns = createLoopTurns(turnMs)
  /** Under way, the oldest first. */
  const underWay = new Set<{ readonly sinceMs: number; readonly moveToSlow: () => void }>()
  const running = new Map<string, number>()
  const waiting = createQueues(waitingEach)
  let isScheduled = false
  let slowTimer: NodeJS.Timeout | null = null

  const mayBegin = (owner: string): boolean =>
    (running.get(owner) ?? 0) < each && places.free() > 0 && turns.hasTurn(owner)

  function take(owner: string): Leave {
    turns.serve(owner)
    schedule()
    running.set(owner, (running.get(owner) ?? 0) + 1)
    const { moveToSlow, giveBack } = places.take()
    const work = { sinceMs: performance.now(), moveToSlow }
    underWay.add(work)
    return () => {
      if (!underWay.delete(work)) return
      giveBack()
      const left = (running.get(owner) ?? 1) - 1
      if (left > 0) running.set(owner, left)
      else running.delete(owner)
      if (waiting.hasAny()) schedule()
    }
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(beginNext)
  }

  /** Another turn of the loop: one of those that wait begins. */
  function beginNext(): void {
    isScheduled = false
    turns.begin()
    if (!waiting.hasAny()) return
    if (turns.isPaused()) {
      schedule()
      return
    }
    if (places.free() === 0) moveSlowAside()
    const next = waiting.takeNext(mayBegin)
    next?.work.begin(take(next.owner))
  }

  /** Somebody waits, and every place is taken: those that take long leave theirs now, or as soon as they do. */
  function moveSlowAside(): void {
    const now = performance.now()
    for (const { sinceMs, moveToSlow } of underWay) if (now - sinceMs >= slowMs) moveToSlow()
    if (places.free() > 0 || slowTimer) return
    slowTimer = setTimeout(() => {
      slowTimer = null
      schedule()
    }, slowMs).unref()
  }

  return {
    /** Somebody has connected, and may ask for something. */
    noteNews: turns.noteNews,
    /** Null: it has to wait. */
    enter(owner: string): Leave | null {
      turns.noteNews()
      return !waiting.has(owner) && mayBegin(owner) ? take(owner) : null
    },
    /** `begin` is called when it is its turn. Returns how to give up, for a caller who has gone; null: too many wait already. */
    wait(owner: string, begin: Waiting['begin']): (() => void) | null {
      const work: Waiting = { begin }
      if (!waiting.add(owner, work)) return null
      schedule()
      return () => waiting.remove(owner, work)
    },
  }
}

/** First come first served within an owner, and the owners in turn. */
function createQueues(mostEach: number) {
  /** In the order in which the owners are next. */
  const queues = new Map<string, Set<Waiting>>()

  function remove(owner: string, work: Waiting): void {
    const own = queues.get(owner)
    own?.delete(work)
    if (own?.size === 0) queues.delete(owner)
  }

  return {
    hasAny: (): boolean => queues.size > 0,
    has: (owner: string): boolean => queues.has(owner),
    /** False: too many of this owner wait already. */
    add(owner: string, work: Waiting): boolean {
      const own = queues.get(owner) ?? new Set()
      if (own.size >= mostEach) return false
      queues.set(owner, own.add(work))
      return true
    },
    remove,
    takeNext(mayBegin: (owner: string) => boolean): { owner: string; work: Waiting } | null {
      for (const [owner, own] of queues) {
        const [work] = own
        if (!work || !mayBegin(owner)) continue
        remove(owner, work)
        // Behind the others.
        if (own.size > 0 && queues.delete(owner)) queues.set(owner, own)
        return { owner, work }
      }
      return null
    },
  }
}

/** Who was served in this turn of the event loop, and whether others are still coming in. */
function createLoopTurns(turnMs: number) {
  const served = new Set<string>()
  let begunMs = 0
  /** Something has come in since the last turn. */
  let hasNews = false
  /** Since when those that wait let others come in; null: one of them has just begun. */
  let pausedSinceMs: number | null = null
  return {
    begin: (): void => served.clear(),
    serve(owner: string): void {
      if (served.size === 0) begunMs = performance.now()
      served.add(owner)
    },
    hasTurn: (owner: string): boolean => !served.has(owner) || performance.now() - begunMs < turnMs,
    noteNews(): void {
      hasNews = true
    },
    /** A turn takes one new connection: a queue that began a dear call in each would keep others from being heard. */
    isPaused(): boolean {
      const now = performance.now()
      pausedSinceMs ??= now
      const goesOn = hasNews && now - pausedSinceMs < turnMs
      hasNews = false
      if (!goesOn) pausedSinceMs = null
      return goesOn
    },
  }
}
