import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { DomainError } from '../../errors.ts'
import { createFairTurns, TooManyWaitError } from '../../platform/fair-turns.ts'
import { createSharedWork } from '../../platform/shared-work.ts'
import { isOverBy, type LinePlace, type LineReader, lineStart, type Stretch } from './line-reader.ts'
import type { RecordingRow } from './recordings.repo.ts'

interface GrowingDeps<T> {
  readonly reader: LineReader
  readonly inTurn: InOwnersTurn
  readonly empty: T
  /** With more stretches behind. It leaves the one before as it is. */
  readonly add: (row: RecordingRow, before: T, stretches: readonly Stretch[], signal: AbortSignal) => Promise<T>
  /** How far it is told; left out: with all that was sent. */
  readonly until?: LineReader['toldUntil']
  /** What one takes of the room for all; left out: each is one. */
  readonly weightOf?: (made: T) => number
  readonly mostWeight: number
}

interface Grown<T> {
  /** What does not change any more, and how far that reaches. */
  readonly settled: T
  readonly place: LinePlace
  /** With what came last. */
  readonly whole: T
  readonly madeAt: number
}

/** Each time, the files of a few may have to be asked. */
const ADDED_AT_ONCE = 5_000
/** For however many ask: a player does every few seconds. */
const FRESH_MS = 4_000

/**
 * What is worked out is held in memory until it is done, so few works are under way in each lane. One whose files have to come from a store may
 * take hours: while others wait, it gives way to them.
 */
const AT_ONCE = 2
const QUICK = { atOnce: AT_ONCE, mostWaiting: 400, mostWaitingEach: 20 }
const LONG = { atOnce: AT_ONCE, mostWaiting: Infinity, mostWaitingEach: Infinity }
const GIVES_WAY = { afterMs: 5_000, atMostAfterMs: 80_000, lookEveryMs: 1_000 }

export type InOwnersTurn = ReturnType<typeof createOwnersTurns>

/**
 * The owners take turns. A work that gave way begins anew in the long lane, where only its like wait for it, and each time it has twice the
 * time. What it has found out of files is kept, so it gets on.
 */
export function createOwnersTurns(givesWay = GIVES_WAY) {
  const [inQuickTurn, inLongTurn] = [createFairTurns(QUICK), createFairTurns(LONG)]

  return async <T>(owner: string, work: (signal: AbortSignal) => Promise<T>, gone: AbortSignal): Promise<T> => {
    const { atMostAfterMs, lookEveryMs } = givesWay
    for (let afterMs = givesWay.afterMs; ; afterMs = Math.min(2 * afterMs, atMostAfterMs)) {
      const way = new AbortController()
      const signal = AbortSignal.any([gone, way.signal])
      const inTurn = afterMs > givesWay.afterMs ? inLongTurn : inQuickTurn
      const bounds = { afterMs, lookEveryMs }
      try {
        return await inTurn(owner, (isWaitedFor) => untilWaitedFor(work(signal), way, isWaitedFor, bounds), {
          signal: gone,
        })
      } catch (error) {
        if (error instanceof TooManyWaitError) {
          throw new DomainError('rate_limited', RECORDING_TEXTS.busy, { retryAfterSeconds: 5, cause: error })
        }
        if (gone.aborted || !way.signal.aborted) throw error
      }
    }
  }
}

/** The place is free as soon as the work is told to end: what it waits for may take its time. */
async function untilWaitedFor<T>(
  work: Promise<T>,
  way: AbortController,
  isWaitedFor: () => boolean,
  { afterMs, lookEveryMs }: { afterMs: number; lookEveryMs: number },
): Promise<T> {
  const { promise: gaveWay, reject } = Promise.withResolvers<never>()
  const look = (): void => {
    if (!isWaitedFor()) {
      timer = setTimeout(look, lookEveryMs)
      return
    }
    way.abort(new Error('others wait for its place'))
    reject(way.signal.reason)
  }
  let timer = setTimeout(look, afterMs)
  try {
    return await Promise.race([work, gaveWay])
  } finally {
    clearTimeout(timer)
  }
}

/** What is told of recordings that are being made: only what is new is gone through, and that at most every few seconds. */
export function createGrowing<T>({
  reader,
  inTurn,
  empty,
  add,
  until,
  weightOf = () => 1,
  mostWeight,
}: GrowingDeps<T>) {
  /** The one that was asked for last is the last. */
  const known = new Map<string, Grown<T>>()
  const shared = createSharedWork<T>()

  function remember(id: string, grown: Grown<T>): void {
    known.delete(id)
    known.set(id, grown)
    let weight = 0
    for (const { whole } of known.values()) weight += weightOf(whole)
    for (const [oldest, { whole }] of known) {
      if (weight <= mostWeight || oldest === id) break
      known.delete(oldest)
      weight -= weightOf(whole)
    }
  }

  /** What will not change any more. */
  async function settle(row: RecordingRow, from: Pick<Grown<T>, 'settled' | 'place'>, signal: AbortSignal) {
    const toAt = await reader.settledUntil(row, signal)
    if (toAt <= from.place.at) return from
    let { settled } = from
    let over: Stretch[] = []
    const pages = reader.read({ row, place: from.place, toAt, signal })
    for (;;) {
      const { done, value } = await pages.next()
      if (!done) over.push(...value.filter((stretch) => isOverBy(stretch, toAt)))
      if (done || over.length >= ADDED_AT_ONCE) {
        if (over.length > 0) settled = await add(row, settled, over, signal)
        over = []
      }
      if (done) return { settled, place: value.place }
    }
  }

  async function grow(row: RecordingRow, signal: AbortSignal): Promise<T> {
    const before = known.get(row.id) ?? { settled: empty, place: lineStart(row) }
    const { settled, place } = await settle(row, before, signal)
    const toAt = until ? Math.max(place.at, await until(row, signal)) : null
    const news: Stretch[] = []
    for await (const stretches of reader.read({ row, place, toAt, signal })) news.push(...stretches)
    const whole = news.length > 0 ? await add(row, settled, news, signal) : settled
    remember(row.id, { settled, place, whole, madeAt: performance.now() })
    return whole
  }

  return {
    async of(row: RecordingRow, signal?: AbortSignal): Promise<T> {
      const last = known.get(row.id)
      if (last && performance.now() - last.madeAt < FRESH_MS) return last.whole
      return shared(row.id, (gone) => inTurn(row.user_id, (wanted) => grow(row, wanted), gone), signal)
    },
    /** It has ended. */
    forget: (id: string): void => void known.delete(id),
  }
}
