import { TURN_MS, turnNumber } from './loop-turn.ts'
import { createSlowShare } from './slow-share.ts'
import { afterThis } from './small-steps.ts'

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

/** For how long those that wait let others come in: a turn in which nothing begins takes a fraction of a millisecond. */
const LISTEN_MS = 3 * TURN_MS

/** What a place is given back by. */
export type Leave = () => void

export type CallPlaces = ReturnType<typeof createCallPlaces>

interface Waiting {
  begin(leave: Leave): void
}

/**
 * Few places for each owner's calls: one who sends hundreds at once holds up nobody who sends one. The owner
 * that has used least of the event loop is next. Turns alone would give as many of them to calls that take a moment as to those that take long.
 *
 * Counting what is under way is not enough. A call that never waits for anything outside the program, as with SQLite, is over before the
 * next one is read, and hundreds of them fill one turn of the event loop without two being under way. So a turn that lasts too long serves
 * each owner once, and of those that wait as many begin in each turn as it has room for, so that new calls are read between them.
 */
export function createCallPlaces({ each, waitingEach, inAll, slowMs, turnMs }: CallPlacesOptions) {
  const places = createSlowShare(inAll, { most: Number.POSITIVE_INFINITY })
  const turns = createLoopTurns(turnMs)
  /** Under way, the oldest first. */
  const underWay = new Set<{ readonly sinceMs: number; readonly moveToSlow: () => void }>()
  const running = new Map<string, number>()
  const shares = createLoopShares()
  const waiting = createQueues(waitingEach, shares)
  let isScheduled = false
  let slowTimer: NodeJS.Timeout | null = null

  const mayBegin = (owner: string): boolean =>
    (running.get(owner) ?? 0) < each && places.free() > 0 && turns.hasTurn(owner)

  function take(owner: string): Leave {
    turns.serve(owner)
    shares.begin(owner)
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
      if (left <= 0 && !waiting.has(owner)) shares.forget(owner)
      if (waiting.hasAny()) schedule()
    }
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    // The next turn has its own number by then.
    turnNumber()
    setImmediate(beginNext)
  }

  /** Another turn of the loop: some of those that wait begin. */
  function beginNext(): void {
    isScheduled = false
    turns.begin()
    shares.endTurn()
    if (!waiting.hasAny()) return
    if (turns.isPaused()) {
      schedule()
      return
    }
    if (places.free() === 0) moveSlowAside()
    beginOne()
  }

  function beginOne(): void {
    const next = waiting.takeNext(mayBegin)
    if (!next) return
    next.work.begin(take(next.owner))
    // One that is dear takes the whole turn.
    afterThis(() => turns.hasRoom() && beginOne())
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
      return !waiting.has(owner) && mayBegin(owner) ? take(owner) : null
    },
    /** `begin` is called when it is its turn. Returns how to give up, for a caller who has gone; null: too many wait already. */
    wait(owner: string, begin: Waiting['begin']): (() => void) | null {
      const work: Waiting = { begin }
      if (!waiting.add(owner, work)) return null
      schedule()
      return () => {
        waiting.remove(owner, work)
        if (!running.has(owner) && !waiting.has(owner)) shares.forget(owner)
      }
    },
  }
}

/** First come first served within an owner. The owner that has used least is next; of those that have used the same, the first. */
function createQueues(mostEach: number, shares: Pick<LoopShares, 'usedMs' | 'add'>) {
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
      shares.add(owner)
      queues.set(owner, own.add(work))
      return true
    },
    remove,
    takeNext(mayBegin: (owner: string) => boolean): { owner: string; work: Waiting } | null {
      let next: string | null = null
      for (const owner of queues.keys()) {
        if (next !== null && shares.usedMs(owner) >= shares.usedMs(next)) continue
        if (mayBegin(owner)) next = owner
      }
      const [work] = (next !== null && queues.get(next)) || []
      if (next === null || !work) return null
      remove(next, work)
      const own = queues.get(next)
      // Behind the others that have used as little.
      if (own && queues.delete(next)) queues.set(next, own)
      return { owner: next, work }
    },
  }
}

type LoopShares = ReturnType<typeof createLoopShares>

/** How long each owner has had the event loop. Each call is charged with the time until the next one begins, or the next turn. */
function createLoopShares() {
  const used = new Map<string, number>()
  let current: string | null = null
  let sinceMs = 0

  function charge(): void {
    const now = performance.now()
    if (current !== null) used.set(current, (used.get(current) ?? 0) + now - sinceMs)
    sinceMs = now
  }

  return {
    usedMs: (owner: string): number => used.get(owner) ?? 0,
    begin(owner: string): void {
      charge()
      current = owner
    },
    endTurn(): void {
      charge()
      current = null
    },
    /** One that comes to wait has no claim to what others have used before it came. */
    add(owner: string): void {
      charge()
      if (!used.has(owner) && used.size > 0) used.set(owner, Math.min(...used.values()))
    },
    forget(owner: string): void {
      if (current === owner) current = null
      used.delete(owner)
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
  const hasRoom = (): boolean => performance.now() - begunMs < turnMs
  return {
    begin: (): void => served.clear(),
    serve(owner: string): void {
      if (served.size === 0) begunMs = performance.now()
      served.add(owner)
    },
    hasRoom,
    hasTurn: (owner: string): boolean => !served.has(owner) || hasRoom(),
    noteNews(): void {
      hasNews = true
    },
    /**
     * A turn takes one new connection: a queue that began a dear call in each would keep others from being heard. While there is one in each, they
     * go first, for a moment.
     */
    isPaused(): boolean {
      const now = performance.now()
      pausedSinceMs ??= now
      const goesOn = hasNews && now - pausedSinceMs < LISTEN_MS
      hasNews = false
      if (!goesOn) pausedSinceMs = null
      return goesOn
    },
  }
}
