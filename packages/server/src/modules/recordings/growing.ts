import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { DomainError } from '../../errors.ts'
import { TooManyWaitError } from '../../platform/fair-turns.ts'
import { createSharedWork } from '../../platform/shared-work.ts'
import { createYieldingTurns } from '../../platform/yielding-turns.ts'
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
const TURNS = { atOnce: 2, mostWaiting: 400, mostWaitingEach: 20 }
const GIVES_WAY = { afterMs: 1_500, atMostAfterMs: 80_000, lookEveryMs: 100 }

export type InOwnersTurn = ReturnType<typeof createOwnersTurns>

/** What a work that gave way has found out of files is kept, so it gets on. */
export function createOwnersTurns(givesWay = GIVES_WAY) {
  const inTurn = createYieldingTurns({ ...TURNS, givesWay })

  return async <T>(owner: string, work: (signal: AbortSignal) => Promise<T>, gone: AbortSignal): Promise<T> => {
    try {
      return await inTurn(owner, work, { signal: gone })
    } catch (error) {
      if (!(error instanceof TooManyWaitError)) throw error
      throw new DomainError('rate_limited', RECORDING_TEXTS.busy, { retryAfterSeconds: 5, cause: error })
    }
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
