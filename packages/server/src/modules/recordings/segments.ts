import type { SegmentCut } from '@siarin/media/argv/recording'
import type { Frames } from './file-facts.ts'
import type { RecordingFile } from './recordings.repo.ts'
import type { Slice } from './slices.ts'

/** What a player loads at once. */
export interface Segment {
  readonly key: string
  readonly seconds: number
  /** Its clock does not go on from that of the one before. */
  readonly isApart: boolean
  /** More of it may come. */
  readonly isOpen: boolean
  /** How it is cut out of its file; null: it is the file. */
  readonly cut: Omit<SegmentCut, 'path'> | null
}

/** Nothing is decoded before zero, however early sound begins. */
const CLOCK_FROM = 10
const NEAR_SECONDS = 0.02

/** Each file is cut at key frames, so that what is sent twice is the same twice. */
export function* segmentsOf(slices: Iterable<Slice>, frames: Frames): Generator<Segment> {
  for (const slice of slices) yield* segmentsIn(slice, frames)
}

function* segmentsIn(slice: Slice, frames: Frames): Generator<Segment> {
  const { key, startSeconds, fileFrom, to, isToEnd } = slice
  const first = frames.beginOf(slice)
  const begin = first ? first.shown - startSeconds : fileFrom
  const cuts = frames
    .gridOf(slice)
    .map(({ shown, decoded }) => ({ at: shown - startSeconds, decoded: decoded - startSeconds }))
    .filter(({ at }) => at > begin + 2 * NEAR_SECONDS && at < to - NEAR_SECONDS)
  let from = { at: begin, isFileStart: first === null }
  for (const next of [...cuts, null]) {
    const ends = next ? { video: next.decoded, audio: next.at } : endOf(slice, frames)
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

/** Where it was cut off: pictures are decoded so much before they are shown. */
function endOf(slice: Slice, frames: Frames): { video: number | null; audio: number | null } {
  const { isToEnd, outpoint, startSeconds, to } = slice
  const end = outpoint === null ? null : outpoint - startSeconds
  if (isToEnd) return { video: end, audio: end }
  const [first] = frames.gridOf(slice)
  return { video: to - (first ? first.shown - first.decoded : 0), audio: to }
}

/** The segments of an online source: its files are what was written. */
export function* fileSegments(files: Iterable<Pick<RecordingFile, 'key' | 'ms' | 'session'>>): Generator<Segment> {
  let session: string | null = null
  for (const file of files) {
    yield { key: file.key, seconds: file.ms / 1000, isApart: file.session !== session, isOpen: false, cut: null }
    session = file.session
  }
}

interface PlaylistOptions {
  /** More comes: what is not whole yet is left out. */
  readonly isGrowing: boolean
  /** What stands behind each address. */
  readonly query: string
}

/** For players. `RFC 8216`. */
export function hlsText(segments: Iterable<Segment>, { isGrowing, query }: PlaylistOptions): string {
  const lines: string[] = []
  let longest = CLOCK_FROM
  let number = 0
  let held: Segment | null = null
  const add = ({ seconds, isApart }: Segment): void => {
    longest = Math.max(longest, seconds)
    if (isApart && number > 0) lines.push('#EXT-X-DISCONTINUITY')
    lines.push(`#EXTINF:${seconds.toFixed(6)},`, `segment/${number}.ts${query}`)
    number++
  }
  // One behind: of the last it is known only at the end that it is the last.
  for (const segment of segments) {
    if (held) add(held)
    held = segment
  }
  if (held && !(isGrowing && held.isOpen)) add(held)
  const head = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`, '#EXT-X-MEDIA-SEQUENCE:0']
  const type = `#EXT-X-PLAYLIST-TYPE:${isGrowing ? 'EVENT' : 'VOD'}`
  return `${[...head, type, ...lines, ...(isGrowing ? [] : ['#EXT-X-ENDLIST'])].join('\n')}\n`
}
