import { Readable } from 'node:stream'
import { type JoinedFile, joinArgs, joinedListLines } from '@siarin/media/argv/recording'
import type { SmallSteps } from '../../platform/small-steps.ts'
import type { Pin, Storage } from '../../platform/storage/storage.ts'
import type { Cutter } from './cutter.ts'
import { FileGoneError } from './file-facts.ts'
import { areAlike, DOWNLOAD_LIMITS, etagOf, type Joined, type LikenessesOf } from './joined.ts'
import { chunkAt, LINE_VERSION, type Line, readChunk } from './line.ts'
import type { Make } from './make.ts'
import type { RecordingRow } from './recordings.repo.ts'
import type { Cut } from './segments.ts'
import { slicesIn } from './slices.ts'

interface JoinCutsDeps {
  readonly cutter: Pick<Cutter, 'cut'>
  readonly storage: Pick<Storage, 'head' | 'pin'>
  readonly steps: SmallSteps
  readonly make: Make
  readonly likenessesOf: LikenessesOf
}

/** In ms of what was sent. */
interface Between {
  readonly fromMs: number
  readonly toMs: number
}

const CLOCK_FROM = 10
/** What is shorter is rounding. */
const LEAST_MS = 0.001

/** Puts what was sent of videos together as one file. */
export function createJoinCuts({ cutter, storage, steps, make, likenessesOf }: JoinCutsDeps) {
  async function assertThere(keys: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    for (const key of keys) {
      signal.throwIfAborted()
      if (!(await storage.head(key))) throw new FileGoneError('a file of a recording is gone')
    }
  }

  /** For as long as ffmpeg reads them. */
  async function pinsOf(keys: ReadonlySet<string>, signal: AbortSignal) {
    const pins = new Map<string, Pin>()
    const release = (): void => {
      for (const pin of pins.values()) pin.release()
    }
    try {
      for (const key of keys) {
        signal.throwIfAborted()
        pins.set(key, await storage.pin(key))
      }
      return { pathOf: (key: string): string => pins.get(key)?.path ?? '', release }
    } catch (error) {
      release()
      signal.throwIfAborted()
      throw new FileGoneError('a file of a recording is gone', { cause: error })
    }
  }

  /** What of a time line lies between two moments of the recording. Where it begins, it may have to be cut first. */
  async function cutsOf(row: RecordingRow, line: Line, { fromMs, toMs }: Between, signal: AbortSignal): Promise<Cut[]> {
    const work = { owner: row.user_id, step: steps.of(row.user_id), signal }
    const cuts: Cut[] = []
    const first = chunkAt(line, ({ ms }) => ms > fromMs)
    for (let chunk = first?.number ?? 0; (line.places[chunk]?.ms ?? toMs) < toMs; chunk++) {
      await work.step(signal)
      let begin = line.places[chunk]?.ms ?? 0
      for (const cut of readChunk(await line.bodyOf(chunk))) {
        const skippedMs = Math.max(0, fromMs - begin)
        const ms = Math.min(cut.ms, toMs - begin) - skippedMs
        begin += cut.ms
        if (ms <= LEAST_MS) continue
        const own = { clip: cut.clip, fromMs: cut.fromMs + skippedMs, ms, begin: cut.begin }
        cuts.push(...(skippedMs > 0 ? await cutter.cut([own], work) : [own]))
      }
    }
    return cuts
  }

  /** Where files are not alike, each run is made by itself: MPEG-TS may change in the middle, MP4 may not. */
  async function ofCuts(row: RecordingRow, cuts: readonly Cut[], mark: string, signal: AbortSignal): Promise<Joined> {
    const likenesses = await likenessesOf(
      row.user_id,
      cuts.map(({ clip }) => clip.key),
      signal,
    )
    const isOne = areAlike(likenesses)
    await assertThere(keysOf(cuts), signal)
    const likenessOf = ({ clip }: Cut): string => likenesses.get(clip.key) ?? ''
    async function* bytes(reading: AbortSignal): AsyncGenerator<Buffer> {
      let clock = CLOCK_FROM
      for (const run of runsOf(cuts, likenessOf)) {
        const { pathOf, release } = await pinsOf(keysOf(run), reading)
        const format = isOne ? 'mp4' : 'mpegts'
        const args = joinArgs({ input: 'list', format, clock, seconds: null, isAdts: false })
        try {
          // Line by line, as ffmpeg takes them.
          const files = joinedFiles(run, pathOf, (seconds) => {
            clock += seconds
          })
          const input = Readable.from(joinedListLines(files))
          yield* make(args, { ...DOWNLOAD_LIMITS, signal: reading, input })
        } finally {
          release()
        }
      }
    }
    return { extension: isOne ? 'mp4' : 'ts', etag: etagOf(`${row.id} ${isOne} ${mark}`), bytes }
  }

  return {
    /** Null: there is nothing in this part of it. */
    async of(row: RecordingRow, line: Line, part: Between, signal: AbortSignal): Promise<Joined | null> {
      const cuts = await cutsOf(row, line, part, signal)
      if (cuts.length === 0) return null
      // What a time line says is the same as long as it is as long.
      const mark = `${LINE_VERSION} ${line.ms} ${line.segments} ${part.fromMs} ${part.toMs}`
      return ofCuts(row, cuts, mark, signal)
    },
  }
}

function keysOf(cuts: readonly Cut[]): Set<string> {
  const keys = new Set<string>()
  for (const { clip } of cuts) {
    keys.add(clip.key)
    if (clip.tailKey !== null && clip.list.bodySeconds !== null) keys.add(clip.tailKey)
  }
  return keys
}

/** Those behind each other that are alike. */
function* runsOf(cuts: readonly Cut[], likenessOf: (cut: Cut) => string): Generator<Cut[]> {
  let run: Cut[] = []
  for (const cut of cuts) {
    const [first] = run
    if (first && likenessOf(first) !== likenessOf(cut)) {
      yield run
      run = []
    }
    run.push(cut)
  }
  if (run.length > 0) yield run
}

function* joinedFiles(
  cuts: readonly Cut[],
  pathOf: (key: string) => string,
  onFile: (seconds: number) => void,
): Generator<JoinedFile> {
  for (const cut of cuts) {
    let { begin } = cut
    for (const { key, startSeconds, fileFrom, to, isToEnd, outpoint } of slicesIn(cut)) {
      const seconds = to - (begin ? begin.shown - startSeconds : fileFrom)
      onFile(seconds)
      const end = isToEnd ? outpoint : startSeconds + to
      yield { path: pathOf(key), inpoint: begin?.shown ?? null, outpoint: end, seconds }
      begin = null
    }
  }
}
