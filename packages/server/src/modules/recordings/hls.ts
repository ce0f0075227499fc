import type { NextStep } from '../../platform/small-steps.ts'
import { type CountedCut, type Line, readChunk } from './line.ts'
import type { RecordingFile } from './recordings.repo.ts'
import { type Cut, type Grid, type SegmentRun, segmentRuns } from './segments.ts'

interface PlaylistOptions {
  /** More comes: what is not whole yet is left out. */
  readonly isGrowing: boolean
  /** What stands behind each address. */
  readonly query: string
  readonly step: NextStep
  readonly signal: AbortSignal
  /** Entries of chunks that never change; null: they may change. */
  readonly made: MadeEntries | null
}

/** By chunk: each entry without what stands behind its address. */
export interface MadeEntries {
  get(chunk: number): readonly string[] | undefined
  set(chunk: number, entries: readonly string[]): void
}

type GridsOf = (cut: Cut) => Promise<(key: string) => Grid>

/** So many take less than a millisecond. */
const LINES_AT_ONCE = 500
/** One piece is held for each reader, however slow. */
const PIECE_CHARACTERS = 64 * 1024
const GRIDS_AT_ONCE = 20
const LEAST_SECONDS = 10

const headOf = (longest: number, isGrowing: boolean): string =>
  [
    ...['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(LEAST_SECONDS, longest))}`],
    ...['#EXT-X-MEDIA-SEQUENCE:0', `#EXT-X-PLAYLIST-TYPE:${isGrowing ? 'EVENT' : 'VOD'}`, ''],
  ].join('\n')

const endOf = (isGrowing: boolean): string => (isGrowing ? '' : '#EXT-X-ENDLIST\n')

const entryOf = (number: number, seconds: string, isApart: boolean): string =>
  `${isApart && number > 0 ? '#EXT-X-DISCONTINUITY\n' : ''}#EXTINF:${seconds},\nsegment/${number}.ts`

/** For players, as it is sent. `RFC 8216`. */
export async function* hlsText(line: Line, gridsOf: GridsOf, options: PlaylistOptions): AsyncGenerator<string> {
  const { isGrowing, query, step, signal } = options
  yield headOf(line.longest, isGrowing)
  const count = isGrowing && line.isOpen ? line.segments - 1 : line.segments
  let number = 0
  let text = ''
  for (let chunk = 0; chunk < line.places.length; chunk++) {
    await step(signal)
    for await (const entries of chunkEntries(line, chunk, gridsOf, options)) {
      for (const entry of entries) {
        if (number >= count) break
        text += `${entry}${query}\n`
        if (++number % LINES_AT_ONCE > 0 && text.length < PIECE_CHARACTERS) continue
        yield text
        text = ''
        await step(signal)
      }
    }
  }
  yield text + endOf(isGrowing)
}

async function* chunkEntries(
  line: Line,
  chunk: number,
  gridsOf: GridsOf,
  { step, signal, made }: PlaylistOptions,
): AsyncGenerator<Iterable<string>> {
  const known = made?.get(chunk)
  if (known) return yield known
  const cuts = readChunk(await line.bodyOf(chunk))
  let number = line.places[chunk]?.segment ?? 0
  // A recording that is cut all the time has nothing else, and each of those who read it would make the same of it.
  const each = cuts.flatMap(({ seconds }) => seconds ?? [])
  if (made && each.length === cuts.length) {
    const entries = each.map((seconds) => entryOf(number++, seconds.toFixed(6), true))
    made.set(chunk, entries)
    return yield entries
  }
  let read = 0
  for (const cut of cuts) {
    // The key frames of each may have to be read.
    if (cut.seconds === null && ++read % GRIDS_AT_ONCE === 0) await step(signal)
    yield entriesOf(await segmentsOf(cut, gridsOf), number)
    number += cut.segments
  }
}

function* entriesOf(listed: Iterable<Listed>, from: number): Generator<string> {
  let number = from
  for (const { seconds, isApart } of listed) yield entryOf(number++, seconds, isApart)
}

interface Listed {
  readonly seconds: string
  readonly isApart: boolean
}

/** One that is cut out of a clip in one piece is told by what is written down of it. */
async function segmentsOf(cut: CountedCut, gridsOf: GridsOf): Promise<Iterable<Listed>> {
  if (cut.seconds !== null) return [{ seconds: cut.seconds.toFixed(6), isApart: true }]
  return repeated(segmentRuns(cut, await gridsOf(cut)))
}

function* repeated(runs: readonly SegmentRun[]): Generator<Listed> {
  for (const { segments, times } of runs) {
    const listed = segments.map(({ seconds, isApart }) => ({ seconds: seconds.toFixed(6), isApart }))
    for (let pass = 0; pass < times; pass++) yield* listed
  }
}

/** The same of an online source: its files are what was written. */
export async function* filesHlsText(
  pages: () => AsyncIterable<readonly RecordingFile[]>,
  { isGrowing, query }: Pick<PlaylistOptions, 'isGrowing' | 'query'>,
): AsyncGenerator<string> {
  let longest = 0
  for await (const files of pages()) for (const { ms } of files) longest = Math.max(longest, ms / 1000)
  yield headOf(longest, isGrowing)
  let session: string | null = null
  let number = 0
  for await (const files of pages()) {
    let text = ''
    for (const file of files) {
      if (file.session !== session && number > 0) text += '#EXT-X-DISCONTINUITY\n'
      text += `#EXTINF:${(file.ms / 1000).toFixed(6)},\nsegment/${number++}.ts${query}\n`
      session = file.session
      if (text.length < PIECE_CHARACTERS) continue
      yield text
      text = ''
    }
    yield text
  }
  yield endOf(isGrowing)
}
