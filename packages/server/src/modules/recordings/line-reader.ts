import type { Db } from '../../platform/db/database.ts'
import type { SmallSteps } from '../../platform/small-steps.ts'
import { interruptionOf } from './parts.ts'
import type { RecordingRow } from './recordings.repo.ts'
import type { Sent, SentPiece, SentStream } from './sent.ts'
import { createSweep, type SentStretch, STREAM_START, type StreamPlace, TOLERANCE_MS } from './sweep.ts'

/** A stretch of the time line: what one stream sent of one piece while no stream before it was on air. */
export interface Stretch extends SentStretch {
  /** Why the broadcast was off air before it, as a code; null: it was not, or it is the first. */
  readonly interruption: string | null
}

/** How far a time line has been read: another reader goes on there. */
export interface LinePlace {
  readonly at: number
  readonly streams: ReadonlyMap<string, StreamPlace>
  readonly before: SentStretch | undefined
}

interface Reading {
  readonly row: Pick<RecordingRow, 'user_id' | 'broadcast_id' | 'from_at'>
  readonly place: LinePlace
  /** Null: with all that was sent. */
  readonly toAt: number | null
  readonly signal?: AbortSignal | undefined
}

/** A stream that is back is polled and written down within so much, on a busy machine too. */
const BACK_KNOWN_MS = 10_000
/** So many take a millisecond or two to read, and as long to go through. */
const PAGE = 200

export type LineReader = ReturnType<typeof createLineReader>

export const lineStart = ({ from_at }: Pick<RecordingRow, 'from_at'>): LinePlace => ({
  ...{ at: from_at, streams: new Map(), before: undefined },
})

/** It does not reach to there: what does may go on. */
export const isOverBy = ({ at, ms }: SentStretch, toAt: number | null): boolean =>
  toAt === null || at + ms < toAt - TOLERANCE_MS

/** Reads what the streams of a broadcast sent as one time line, page by page, and lets others work in between. */
export function createLineReader({ db, sent, steps }: { db: Db; sent: Sent; steps: SmallSteps }) {
  /** The pages of one stream. */
  function pagesOf(stream: SentStream, { row, place, toAt }: Reading) {
    const known = place.streams.get(stream.id)?.after ?? null
    let span: { after: number; last: number | null } | null = known === null ? null : { after: known, last: null }
    const isWanted = ({ list, ms, at }: SentPiece): boolean =>
      list !== null && ms > 0 && at + ms > row.from_at && (toAt === null || at < toAt)

    return async (): Promise<{ pieces: SentPiece[]; isWhole: boolean }> => {
      if (span === null || (span.last === null && toAt !== null)) {
        const found = await sent(db).spanOf(stream.id, place.at, toAt)
        if (!found) return { pieces: [], isWhole: true }
        span = { after: Math.max(found.first - 1, span?.after ?? found.first - 1), last: found.last }
      }
      // While it goes on, what comes later belongs to it too.
      const last = toAt === null ? null : span.last
      const pieces = await sent(db).piecesOf(stream, { after: span.after, last, limit: PAGE })
      span = { after: pieces.at(-1)?.number ?? span.after, last: span.last }
      return { pieces: pieces.filter(isWanted), isWhole: pieces.length < PAGE }
    }
  }

  return {
    /** Page by page, in order. The result says where to go on behind all that is over by `toAt`, and whether all pieces have ended. */
    async *read(reading: Reading): AsyncGenerator<Stretch[], { place: LinePlace; isOver: boolean }> {
      const { row, place, toAt, signal } = reading
      const step = steps.of(row.user_id)
      await step(signal)
      const streams = await sent(db).streamsOf(row.broadcast_id, place.at)
      const places = streams.map(({ id }) => place.streams.get(id) ?? STREAM_START)
      const sweep = createSweep({ fromAt: place.at, toAt, places })
      const pages = streams.map((stream) => pagesOf(stream, reading))
      const placesNow = () => new Map(sweep.places().map((each, index) => [streams[index]?.id ?? '', each]))
      let { before } = place
      let end: LinePlace | null = null
      let isOver = true
      let batch: Stretch[] = []
      for (let next = sweep.next(); next !== null; next = sweep.next()) {
        if ('feed' in next) {
          await step(signal)
          const { pieces, isWhole } = (await pages[next.feed]?.()) ?? { pieces: [], isWhole: true }
          if (pieces.some(({ isOpen, at, ms }) => isOpen && at + ms < (toAt ?? 0))) isOver = false
          sweep.feed(next.feed, pieces, isWhole)
          continue
        }
        if (!end && !isOverBy(next, toAt)) end = { at: next.at, streams: placesNow(), before }
        batch.push({ ...next, interruption: interruptionOf(before, next) })
        before = next
        if (batch.length < PAGE) continue
        yield batch
        batch = []
        await step(signal)
      }
      if (batch.length > 0) yield batch
      const reached = { at: before ? before.at + before.ms : place.at, streams: placesNow(), before }
      return { place: end ?? reached, isOver }
    },

    /**
     * Until when a player may be told of it while it is being made: what was named once must stay. That is as far as the first stream that is on
     * air has come. One before it that is off air may be back without anybody knowing yet, and would count from then on.
     */
    async toldUntil({ broadcast_id, user_id }: Reading['row'], signal?: AbortSignal): Promise<number> {
      await steps.of(user_id)(signal)
      let until = Number.NEGATIVE_INFINITY
      for (const [index, stream] of (await sent(db).streamsOf(broadcast_id, null)).entries()) {
        const last = await sent(db).lastOf(stream)
        if (!last) continue
        until = Math.max(until, last.at + last.ms - (index === 0 ? 0 : BACK_KNOWN_MS))
        if (last.isOpen) break
      }
      return until
    },

    /** Until when nothing of it changes any more: a minute ago, or where a stream that is on air has come to, within ten minutes. */
    async settledUntil({ broadcast_id, user_id }: Reading['row'], signal?: AbortSignal): Promise<number> {
      await steps.of(user_id)(signal)
      let newest = Number.NEGATIVE_INFINITY
      let held = Number.POSITIVE_INFINITY
      for (const stream of await sent(db).streamsOf(broadcast_id, null)) {
        const last = await sent(db).lastOf(stream)
        if (!last) continue
        const end = last.at + last.ms
        newest = Math.max(newest, end)
        if (last.isOpen) held = Math.min(held, end)
      }
      return Math.max(newest - 600_000, Math.min(newest - 60_000, held))
    },
  }
}
