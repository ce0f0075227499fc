import type { SentPiece } from './sent.ts'

/** A stretch of the time line: what one stream sent of one piece while no stream before it was on air. */
export interface Stretch {
  readonly piece: SentPiece
  /** On the wall clock. */
  readonly at: number
  /** Where in the piece it begins. */
  readonly skippedMs: number
  readonly ms: number
  /** Why the broadcast was off air before it, as a code; null: it was not, or it is the first. */
  readonly interruption: string | null
}

/** What is played of one file. Times in seconds; `from` and `to` count from where the pass begins. */
export interface Slice {
  readonly key: string
  /** Where in the pass this file begins: 0, or where the tail does. */
  readonly fileFrom: number
  /** And where what is played of it ends. */
  readonly fileTo: number
  /** The key of the file that stands for its clip: what is behind another is like that. */
  readonly clipKey: string
  /** The file's own clock where the pass begins: its clock at a moment of the pass is the sum of both. */
  readonly startSeconds: number
  /** In the file's own clock: what comes from there on is left out. */
  readonly outpoint: number | null
  readonly from: number
  readonly to: number
  /** It ends where the file, or what is played of it, ends. */
  readonly isToEnd: boolean
  /** It goes on in the pass where the slice before ended. */
  readonly continues: boolean
}

/** Clocks of processes and of the machine differ by this much. */
const TOLERANCE_MS = 1
/** Twelve hours of a clip of a second. What is shorter is recorded as far as this. */
export const MOST_SLICES = 45_000

interface Interval {
  readonly from: number
  readonly to: number
}

/**
 * One time line of all that the streams of a broadcast sent within [fromAt, toAt). Several streams send the same: at each moment the first of
 * them that was on air counts. `pieces`: stream by stream, each in order.
 */
export function timeline(pieces: readonly SentPiece[], fromAt: number, toAt: number | null): Stretch[] {
  const found: Omit<Stretch, 'interruption'>[] = []
  let covered: Interval[] = []
  for (const own of byStream(pieces).values()) {
    const sent = inOrder(own)
    for (const { piece, at } of sent) {
      const whole = { from: Math.max(at, fromAt), to: Math.min(at + piece.ms, toAt ?? Number.POSITIVE_INFINITY) }
      for (const { from, to } of without(whole, covered)) {
        found.push({ piece, at: from, skippedMs: from - at, ms: to - from })
      }
    }
    covered = joined([...covered, ...sent.map(({ piece, at }) => ({ from: at, to: at + piece.ms }))])
  }
  found.sort((one, other) => one.at - other.at)
  return found.map((stretch, index) => ({ ...stretch, interruption: interruptionOf(found[index - 1], stretch) }))
}

function byStream(pieces: readonly SentPiece[]): Map<string, SentPiece[]> {
  const streams = new Map<string, SentPiece[]>()
  for (const piece of pieces) {
    const own = streams.get(piece.streamId)
    if (own) own.push(piece)
    else streams.set(piece.streamId, [piece])
  }
  return streams
}

/** A stream sends one thing at a time: where a clock was put back, what came later follows what came before. */
function inOrder(pieces: readonly SentPiece[]): { piece: SentPiece; at: number }[] {
  let end = Number.NEGATIVE_INFINITY
  return pieces.map((piece) => {
    const at = Math.max(piece.at, end)
    end = at + piece.ms
    return { piece, at }
  })
}

/** What of it no other covers. `others`: in order, and apart from each other. */
function without(whole: Interval, others: readonly Interval[]): Interval[] {
  const left: Interval[] = []
  let { from } = whole
  for (const other of others) {
    if (other.to <= from) continue
    if (other.from >= whole.to) break
    left.push({ from, to: other.from })
    from = other.to
  }
  left.push({ from, to: whole.to })
  return left.filter((each) => each.to - each.from > TOLERANCE_MS / 1000)
}

function joined(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.toSorted((one, other) => one.from - other.from)
  const apart: Interval[] = []
  for (const each of sorted) {
    const last = apart.at(-1)
    if (last && each.from <= last.to) apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, each.to) }
    else apart.push(each)
  }
  return apart
}

type Bare = Omit<Stretch, 'interruption'>

function interruptionOf(before: Bare | undefined, { piece, at }: Bare): string | null {
  if (!before) return null
  const isSession = before.piece.streamId === piece.streamId && before.piece.session === piece.session
  const isGap = at - (before.at + before.ms) > TOLERANCE_MS
  return isGap && !isSession ? (piece.reason ?? 'unknown') : null
}

/** What is played, file by file. One after the other: a day of a short clip has thousands. */
export function* slicesOf(stretches: Iterable<Stretch>): Generator<Slice> {
  let count = 0
  for (const stretch of stretches) {
    for (const slice of slicesIn(stretch)) {
      if (++count > MOST_SLICES) return
      yield slice
    }
  }
}

/** Shorter than any frame: what rounding leaves. */
const TINY_SECONDS = 0.001

function* slicesIn({ piece, skippedMs, ms }: Stretch): Generator<Slice> {
  const { list, looping } = piece
  if (!(list.seconds > 0)) return
  const begin = (piece.fromMs + skippedMs) / 1000
  const firstPass = looping ? Math.floor(begin / list.seconds + 1e-9) : 0
  const end = looping ? begin + ms / 1000 : Math.min(begin + ms / 1000, list.seconds)
  let isFirst = true
  for (let pass = firstPass; pass * list.seconds < end - TINY_SECONDS; pass++) {
    const passFrom = pass * list.seconds
    for (const file of filesOf(piece)) {
      const from = Math.max(file.fileFrom, begin - passFrom)
      const to = Math.min(file.fileTo, end - passFrom)
      if (to - from < TINY_SECONDS) continue
      const isToEnd = file.fileTo - to < TINY_SECONDS
      const continues = !isFirst && from === file.fileFrom && file.fileFrom > 0
      yield { ...file, from, to: isToEnd ? file.fileTo : to, isToEnd, continues }
      isFirst = false
    }
  }
}

type PassFile = Omit<Slice, 'from' | 'to' | 'isToEnd' | 'continues'>

/** What a pass is made of. */
function filesOf({ key, tailKey, list }: SentPiece): PassFile[] {
  const { seconds, startSeconds, outpoint, bodySeconds } = list
  const body = { key, clipKey: key, fileFrom: 0, fileTo: seconds, startSeconds, outpoint }
  if (bodySeconds === null || tailKey === null) return [body]
  const tail = { key: tailKey, clipKey: key, fileFrom: bodySeconds, fileTo: seconds, startSeconds, outpoint: null }
  return [{ ...body, fileTo: bodySeconds }, tail]
}

/** Without a break. */
export interface Part {
  readonly at: number
  readonly fromMs: number
  readonly ms: number
  readonly interruption: string | null
}

export function partsOf(stretches: readonly Stretch[]): Part[] {
  const parts: Part[] = []
  let fromMs = 0
  for (const { at, ms, interruption } of stretches) {
    const last = parts.at(-1)
    if (last && interruption === null) parts[parts.length - 1] = { ...last, ms: last.ms + ms }
    else parts.push({ at, fromMs, ms, interruption })
    fromMs += ms
  }
  return parts
}

export const msOf = (stretches: readonly Stretch[]): number => stretches.reduce((sum, { ms }) => sum + ms, 0)

/** What of it lies between two moments of the recording itself, in ms of what was sent. */
export function cutOut(stretches: readonly Stretch[], fromMs: number, toMs: number): Stretch[] {
  const kept: Stretch[] = []
  let begin = 0
  for (const stretch of stretches) {
    const from = Math.max(0, fromMs - begin)
    const ms = Math.min(stretch.ms, toMs - begin) - from
    begin += stretch.ms
    if (ms <= TOLERANCE_MS / 1000) continue
    const { piece, at, skippedMs, interruption } = stretch
    const own = { piece, at: at + from, skippedMs: skippedMs + from, ms }
    kept.push({ ...own, interruption: kept.length === 0 ? null : interruption })
  }
  return kept
}
