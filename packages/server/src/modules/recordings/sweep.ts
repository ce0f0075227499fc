import type { SentPiece } from './sent.ts'

/** What one stream sent of one piece while no stream before it was on air. */
export interface SentStretch {
  readonly piece: SentPiece
  /** On the wall clock. */
  readonly at: number
  /** Where in the piece it begins. */
  readonly skippedMs: number
  readonly ms: number
}

/** How far a sweep has come in one stream. */
export interface StreamPlace {
  /** The number of the last piece that is over; null: none is. */
  readonly after: number | null
  /** When that one ended: a stream sends one thing at a time, so that the next one begins there at the earliest. */
  readonly end: number
}

export const STREAM_START: StreamPlace = { after: null, end: Number.NEGATIVE_INFINITY }

/** Clocks of processes and of the machine differ by this much; what is a thousand times shorter is left out. */
export const TOLERANCE_MS = 1
const LEAST_MS = TOLERANCE_MS / 1000

interface Cursor {
  pieces: readonly SentPiece[]
  next: number
  isWhole: boolean
  after: number | null
  end: number
}

interface SweepOptions {
  readonly fromAt: number
  readonly toAt: number | null
  /** The streams in the order in which they count. */
  readonly places: readonly StreamPlace[]
}

/**
 * Makes one time line of what several streams sent: at each moment the first stream that was on air counts. It goes forward in time and
 * reads each stream once, and a stream not at all where those before it never pause. `feed` gives it the next pieces of a stream.
 */
export function createSweep({ fromAt, toAt, places }: SweepOptions) {
  const cursors: Cursor[] = places.map(({ after, end }) => ({ pieces: [], next: 0, isWhole: false, after, end }))
  /** Until when each level of streams may fill: the gap of the stream before it. */
  const bounds: number[] = [toAt ?? Number.POSITIVE_INFINITY]
  let level = 0
  let now = fromAt

  /** The piece that is on air then, or the next one. Null: nothing more comes. 'unknown': the stream has to be fed first. */
  function pieceAt(stream: number, at: number): { piece: SentPiece; begin: number; end: number } | 'unknown' | null {
    const cursor = cursors[stream]
    if (!cursor) return null
    for (;;) {
      const piece = cursor.pieces[cursor.next]
      if (!piece) return cursor.isWhole ? null : 'unknown'
      const begin = piece.at - cursor.end > TOLERANCE_MS ? piece.at : cursor.end
      const end = begin + piece.ms
      if (end > at) return { piece, begin, end }
      cursor.next++
      cursor.after = piece.number
      cursor.end = end
    }
  }

  return {
    /** The next that was sent; `feed`: more of that stream has to be known first; null: that is all. */
    next(): SentStretch | { readonly feed: number } | null {
      while (level >= 0) {
        const to = bounds[level] ?? now
        // Without an end both may be endless, and their difference is no number.
        if (level >= cursors.length || !(to - now > LEAST_MS)) {
          now = Math.max(now, to)
          level--
          continue
        }
        const found = pieceAt(level, now)
        if (found === 'unknown') return { feed: level }
        const begin = found ? Math.min(found.begin, to) : to
        if (begin - now > LEAST_MS) {
          // A gap, which the streams behind may fill.
          bounds[++level] = begin
          continue
        }
        if (!found || found.begin >= to) {
          now = to
          continue
        }
        const at = Math.max(now, found.begin)
        const end = Math.min(found.end, to)
        now = end
        if (end - at > LEAST_MS) return { piece: found.piece, at, skippedMs: at - found.begin, ms: end - at }
      }
      return null
    },

    /** `isWhole`: that is all of this stream. */
    feed(stream: number, pieces: readonly SentPiece[], isWhole: boolean): void {
      const cursor = cursors[stream]
      if (!cursor) return
      cursor.pieces = pieces
      cursor.next = 0
      cursor.isWhole = isWhole
    },

    /** Where another sweep can go on. */
    places: (): StreamPlace[] => cursors.map(({ after, end }) => ({ after, end })),
  }
}
