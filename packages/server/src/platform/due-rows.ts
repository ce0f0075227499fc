import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { asProgram } from './on-behalf-of.ts'
import { inStep } from './repeat.ts'
import { createSlowShare, type SlowShare } from './slow-share.ts'

interface Backoff<Row> {
  /** The wait after a first try that failed; each further one doubles it. */
  readonly firstMs: number
  readonly longestMs: number
  /** Where the row itself keeps both, they count for every program and outlive this one. Without it they are kept in memory. */
  readonly inRow?: {
    readonly triesOf: (row: Row) => number
    readonly putOff: (row: Row, untilMs: number) => Promise<void>
  }
}

interface DueRowsOptions<Row> {
  /**
   * The rows that are due, in the order in which they are to be handled. More than `most` may be answered, then the rest waits. Where
   * several programs look for the same rows and each is to be handled by one of them, this has to take them.
   */
  readonly claim: (most: number) => Promise<readonly Row[]>
  readonly idOf: (row: Row) => string
  /** True: the row is not due any more. False, or an error: it did not work, and is tried again later. */
  readonly handle: (row: Row) => Promise<boolean>
  readonly backoff: Backoff<Row>
  /** How many are under way at once: one that takes long holds up only its own place. */
  readonly atOnce: number
  /** Rows that take longer than `afterMs` give their place up and go on beside the others: so many at most. */
  readonly slow?: SlowShare & { readonly afterMs: number; readonly onSlow?: (row: Row) => void }
  /** Until the first poll; none where it is left out. */
  readonly firstAfterMs?: number
  readonly everyMs: number
  readonly clock: Clock
  readonly log: Log
  /** Said when a poll, or the handling of a row, fails. */
  readonly complaint: string
  readonly random?: () => number
}

export interface DueRows {
  start(): void
  /** Something may have become due: polls now. */
  wake(): void
  /** As many take long as may: of those who are known to be slow, none should be claimed now. */
  areSlowPlacesTaken(): boolean
  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void>
}

/** So that what failed together is not tried again together. */
const SPREAD = 0.1

export function backoffMs(
  tries: number,
  { firstMs, longestMs }: Pick<Backoff<never>, 'firstMs' | 'longestMs'>,
  random: number,
): number {
  const growing = Math.min(longestMs, firstMs * 2 ** Math.min(tries, 30))
  return Math.round(growing * (1 - SPREAD + 2 * SPREAD * random))
}

/** Takes rows that are due from the database, a few at a time, and tries again later what did not work. The rows are the truth. */
export function dueRows<Row>(options: DueRowsOptions<Row>): DueRows {
  const { claim, idOf, handle, backoff, atOnce, firstAfterMs, everyMs, clock, log, complaint } = options
  const random = options.random ?? Math.random
  const underWay = new Map<string, Promise<void>>()
  const places = createSlowShare(atOnce, options.slow)
  const polls = createPolls(
    () => pollOnce().catch((error) => log.warn({ err: error }, complaint)),
    () => running,
  )
  const { wake } = polls
  const rests = createRests(wake)
  let running = false
  /** The last poll left something, or found every place taken. */
  let moreWaits = false
  let end = () => {}

  async function putOff(row: Row): Promise<void> {
    const tries = backoff.inRow ? backoff.inRow.triesOf(row) : rests.triesOf(idOf(row))
    const waitMs = backoffMs(tries, backoff, random())
    if (backoff.inRow) await backoff.inRow.putOff(row, clock.now() + waitMs)
    else if (running) rests.begin(idOf(row), waitMs)
  }

  async function handleOne(row: Row): Promise<void> {
    const complain = (error: unknown): false => {
      log.warn({ err: error, id: idOf(row) }, complaint)
      return false
    }
    if (await handle(row).catch(complain)) rests.forget(idOf(row))
    else await putOff(row).catch(complain)
  }

  function begin(row: Row): void {
    const id = idOf(row)
    const place = places.take(() => {
      options.slow?.onSlow?.(row)
      if (moreWaits) wake()
    })
    const slow = options.slow && setTimeout(place.moveToSlow, options.slow.afterMs)
    const handled = handleOne(row).then(() => {
      clearTimeout(slow)
      place.giveBack()
      underWay.delete(id)
      if (moreWaits) wake()
    })
    underWay.set(id, handled)
  }

  async function pollOnce(): Promise<void> {
    const most = places.free()
    moreWaits = most === 0
    if (moreWaits) return
    const rows = await claim(most)
    rests.keepOnly(rows.map(idOf))
    const free = rows.filter((row) => !underWay.has(idOf(row)) && !rests.isResting(idOf(row)))
    moreWaits = free.length >= most
    for (const row of free.slice(0, most)) begin(row)
  }

  function goOn(): void {
    end = inStep(everyMs, wake)
    wake()
  }

  return {
    start() {
      running = true
      if (firstAfterMs === undefined) return goOn()
      const first = setTimeout(goOn, firstAfterMs)
      end = () => clearTimeout(first)
    },
    wake,
    areSlowPlacesTaken: places.isSlowShareFull,
    async stop() {
      running = false
      end()
      rests.end()
      // What a last poll has claimed is still handled: nobody else may for a while.
      await polls.underWay()
      await Promise.all(underWay.values())
    },
  }
}

/** One poll at a time; who asks meanwhile gets another one after it. */
function createPolls(poll: () => Promise<void>, isRunning: () => boolean) {
  let polling: Promise<void> | null = null
  let again = false
  return {
    wake(): void {
      if (!isRunning()) return
      again = true
      // Its rows are everybody's: nothing of it is charged to the account that woke it, or waits behind that account's calls.
      polling ??= asProgram(async () => {
        while (again && isRunning()) {
          again = false
          await poll()
        }
        polling = null
      })
    },
    underWay: (): Promise<void> | null => polling,
  }
}

/** The tries and waits of rows that do not keep them themselves. */
function createRests(wake: () => void) {
  const known = new Map<string, { tries: number; timer: NodeJS.Timeout | null }>()
  return {
    triesOf: (id: string): number => known.get(id)?.tries ?? 0,
    isResting: (id: string): boolean => (known.get(id)?.timer ?? null) !== null,
    begin(id: string, waitMs: number): void {
      const rest = { tries: (known.get(id)?.tries ?? 0) + 1, timer: setTimeout(over, waitMs) as NodeJS.Timeout | null }
      function over(): void {
        rest.timer = null
        wake()
      }
      known.set(id, rest)
    },
    forget: (id: string): void => void known.delete(id),
    /** Rows that are not due any more have been seen to by others. */
    keepOnly(ids: readonly string[]): void {
      const due = new Set(ids)
      for (const [id, { timer }] of known) if (timer === null && !due.has(id)) known.delete(id)
    },
    end(): void {
      for (const { timer } of known.values()) if (timer) clearTimeout(timer)
      known.clear()
    },
  }
}
