import type { Keyframe, SegmentCut } from '@siarin/media/argv/recording'
import { type Played, runsIn, type Slice } from './slices.ts'

/** What a player loads at once. */
export interface Segment {
  readonly key: string
  readonly seconds: number
  /** Its clock does not go on from that of the one before. */
  readonly isApart: boolean
  /** More of it may come. */
  readonly isOpen: boolean
  /** How it is cut out of its file. */
  readonly cut: Omit<SegmentCut, 'path'>
}

/** What was played, with the key frame at which it begins; null: it begins with its file. */
export interface Cut extends Played {
  readonly begin: Keyframe | null
}

/** The key frames of a file at which it may be cut, in its own clock. */
export type Grid = readonly Keyframe[]

/** Nothing is decoded before zero, however early sound begins. */
const CLOCK_FROM = 10
const NEAR_SECONDS = 0.02
/** What is not longer is one segment, so that its key frames need not be known. */
export const SEGMENT_SECONDS = 10

export const isOneSegment = ({ fileFrom, fileTo }: Pick<Slice, 'fileFrom' | 'fileTo'>): boolean =>
  fileTo - fileFrom <= SEGMENT_SECONDS

/** The segments of one pass, so many times behind each other. */
export interface SegmentRun {
  readonly segments: readonly Segment[]
  readonly times: number
}

/** Each file is cut at key frames, so that what is sent twice is the same twice. */
export function segmentRuns(cut: Cut, gridOf: (key: string) => Grid): SegmentRun[] {
  return runsIn(cut).map(({ slices, times }, run) => ({
    times,
    segments: slices.flatMap((slice, index) => [
      ...segmentsIn(slice, run === 0 && index === 0 ? cut.begin : null, gridOf(slice.key)),
    ]),
  }))
}

export const segmentCount = (runs: readonly SegmentRun[]): number =>
  runs.reduce((sum, { segments, times }) => sum + segments.length * times, 0)

export function segmentAt(runs: readonly SegmentRun[], number: number): Segment | null {
  let left = number
  for (const { segments, times } of runs) {
    const count = segments.length * times
    if (left < count) return segments[left % segments.length] ?? null
    left -= count
  }
  return null
}

function* segmentsIn(slice: Slice, first: Keyframe | null, grid: Grid): Generator<Segment> {
  const { key, startSeconds, fileFrom, to, isToEnd } = slice
  const begin = first ? first.shown - startSeconds : fileFrom
  const inner = isOneSegment(slice)
    ? []
    : between(grid, startSeconds + begin + 2 * NEAR_SECONDS, startSeconds + to - NEAR_SECONDS)
  const cuts = inner.map(({ shown, decoded }) => ({ at: shown - startSeconds, decoded: decoded - startSeconds }))
  let from = { at: begin, isFileStart: first === null }
  for (const next of [...cuts, null]) {
    const ends = next ? { video: next.decoded, audio: next.at } : endOf(slice, grid)
    const inFile = (moment: number | null): number | null => (moment === null ? null : moment - fileFrom)
    yield {
      ...{ key, seconds: (next?.at ?? to) - from.at, isOpen: next === null && !isToEnd },
      isApart: !slice.continues && from.at === begin,
      cut: {
        from: from.isFileStart ? null : from.at - fileFrom,
        ...{ videoTo: inFile(ends.video), audioTo: inFile(ends.audio), clock: CLOCK_FROM + from.at },
      },
    }
    if (next) from = { at: next.at, isFileStart: false }
  }
}

/** Those that are shown between two moments. A recording may play a few seconds of a file of a day, thousands of times. */
function between(grid: Grid, from: number, to: number): Grid {
  const indexOf = (isBehind: (shown: number) => boolean): number => {
    let [low, high] = [0, grid.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBehind(grid[middle]?.shown ?? 0)) high = middle
      else low = middle + 1
    }
    return low
  }
  return grid.slice(
    indexOf((shown) => shown > from),
    indexOf((shown) => shown >= to),
  )
}

/** Where it was cut off: pictures are decoded so much before they are shown. */
function endOf(slice: Slice, [first]: Grid): { video: number | null; audio: number | null } {
  const { isToEnd, outpoint, startSeconds, to } = slice
  const end = outpoint === null ? null : outpoint - startSeconds
  if (isToEnd) return { video: end, audio: end }
  return { video: to - (first ? first.shown - first.decoded : 0), audio: to }
}
