import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { type JoinedFile, joinArgs, joinedListLines } from '@siarin/media/argv/recording'
import { DomainError } from '../../errors.ts'
import type { Pin, Storage } from '../../platform/storage/storage.ts'
import { type FileFacts, FileGoneError, type Frames } from './file-facts.ts'
import type { Make } from './make.ts'
import { asGone, gone, type Material } from './material.ts'
import type { RecordingFile, RecordingRow, RecordingsRepo } from './recordings.repo.ts'
import { cutOut, msOf, type Slice, type Stretch, slicesOf } from './slices.ts'

interface JoinsDeps {
  readonly material: Pick<Material, 'stretchesOf'>
  readonly repo: Pick<RecordingsRepo, 'filesOf'>
  readonly facts: FileFacts
  readonly storage: Pick<Storage, 'head' | 'pin' | 'open'>
  readonly make: Make
}

/** A part of a recording, in its own seconds; null: to its end. */
export interface AskedPart {
  readonly from: number
  readonly to: number | null
}

/** One file of it, as it would be made. */
export interface Joined {
  readonly extension: 'mp4' | 'ts'
  /** It marks the content: made twice it is the same. */
  readonly etag: string
  bytes(signal: AbortSignal): AsyncGenerator<Buffer>
}

const CLOCK_FROM = 10
/** A slow line needs long for a whole day. */
const DOWNLOAD_MS = 48 * 3_600_000

export type Joins = ReturnType<typeof createJoins>

/** Puts a recording, or a part of it, together as one file, without a new encoding. */
export function createJoins({ material, repo, facts, storage, make }: JoinsDeps) {
  const limits = { timeoutMs: DOWNLOAD_MS, priority: 'low' } as const

  async function likenessesOf(keys: Iterable<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const key of keys) if (!found.has(key)) found.set(key, await facts.likenessOf(key))
    return found
  }

  async function assertThere(slices: Iterable<Slice>): Promise<void> {
    const seen = new Set<string>()
    for (const { key } of slices) {
      if (!seen.has(key) && !(await storage.head(key))) throw new FileGoneError('a file of a recording is gone')
      seen.add(key)
    }
  }

  /** For as long as ffmpeg reads them. */
  async function pinsOf(slices: Iterable<Slice>) {
    const pins = new Map<string, Pin>()
    const release = (): void => {
      for (const pin of pins.values()) pin.release()
    }
    try {
      for (const { key } of slices) if (!pins.has(key)) pins.set(key, await storage.pin(key))
      return { pathOf: (key: string): string => pins.get(key)?.path ?? '', release }
    } catch (error) {
      release()
      throw new FileGoneError('a file of a recording is gone', { cause: error })
    }
  }

  /** Where files are not alike, each run is made by itself: MPEG-TS may change in the middle, MP4 may not. */
  async function ofStretches(row: RecordingRow, stretches: readonly Stretch[]): Promise<Joined> {
    const slices = (): Iterable<Slice> => slicesOf(stretches)
    const frames = await facts.framesOf(slices())
    const likenesses = await likenessesOf(stretches.map(({ piece }) => piece.key))
    const isOne = areAlike(likenesses)
    await assertThere(slices())
    const mark = createHash('sha256').update(`${row.id} ${isOne}`)
    for (const each of slices()) mark.update(JSON.stringify(each))
    const likenessOf = ({ clipKey }: Slice): string => likenesses.get(clipKey) ?? ''
    async function* bytes(signal: AbortSignal): AsyncGenerator<Buffer> {
      let clock = CLOCK_FROM
      for (const run of runsOf(slices(), likenessOf)) {
        const { pathOf, release } = await pinsOf(run)
        const files = run.map((slice) => joinedFile(slice, frames, pathOf(slice.key)))
        const format = isOne ? 'mp4' : 'mpegts'
        const args = joinArgs({ input: 'list', format, clock, seconds: null, isAdts: false })
        try {
          yield* make(args, { ...limits, signal, input: Readable.from(joinedListLines(files)) })
        } finally {
          release()
        }
        clock += files.reduce((sum, { seconds }) => sum + seconds, 0)
      }
    }
    return { extension: isOne ? 'mp4' : 'ts', etag: `"${mark.digest('hex').slice(0, 32)}"`, bytes }
  }

  async function* written(files: readonly RecordingFile[]): AsyncGenerator<Buffer> {
    for (const { key } of files) {
      const opened = await storage.open(key)
      if (!opened?.body) throw new FileGoneError('a file of a recording is gone')
      yield* opened.body
    }
  }

  /** Files of one session have one clock, so that they are one MPEG-TS behind each other. */
  async function ofFiles(row: RecordingRow, files: readonly RecordingFile[], seconds: number | null): Promise<Joined> {
    const firsts = files.filter(({ session }, index) => session !== files[index - 1]?.session)
    const likenesses = await likenessesOf(firsts.map(({ key }) => key))
    const isOne = areAlike(likenesses)
    const isAdts = [...likenesses.values()].some((likeness) => likeness.includes('codec_name=aac'))
    const mark = createHash('sha256').update(`${row.id} ${isOne} ${seconds} ${files.map(({ key }) => key).join()}`)
    const args = joinArgs({ input: 'mpegts', format: 'mp4', clock: 0, seconds, isAdts })
    return {
      extension: isOne ? 'mp4' : 'ts',
      etag: `"${mark.digest('hex').slice(0, 32)}"`,
      bytes: (signal) =>
        isOne ? make(args, { ...limits, signal, input: Readable.from(written(files)) }) : written(files),
    }
  }

  async function joinedOf(row: RecordingRow, { from, to }: AskedPart): Promise<Joined> {
    if (row.online === 1) {
      const { files, seconds } = chosenFiles(await repo.filesOf(row.id), { from, to })
      if (files.length === 0) throw from > 0 ? outside() : gone()
      return ofFiles(row, files, seconds)
    }
    const all = await material.stretchesOf(row)
    const stretches = cutOut(all, from * 1000, to === null ? msOf(all) : to * 1000)
    if (stretches.length === 0) throw all.length > 0 ? outside() : gone()
    return ofStretches(row, stretches)
  }

  return { of: (row: RecordingRow, part: AskedPart): Promise<Joined> => joinedOf(row, part).catch(asGone) }
}

const outside = (): DomainError => new DomainError('invalid_input', RECORDING_TEXTS.partInvalid)

const areAlike = (likenesses: ReadonlyMap<string, string>): boolean => new Set(likenesses.values()).size <= 1

/** Those behind each other that are alike. */
function* runsOf(slices: Iterable<Slice>, likenessOf: (slice: Slice) => string): Generator<Slice[]> {
  let run: Slice[] = []
  for (const slice of slices) {
    const [first] = run
    if (first && likenessOf(first) !== likenessOf(slice)) {
      yield run
      run = []
    }
    run.push(slice)
  }
  if (run.length > 0) yield run
}

function joinedFile(slice: Slice, frames: Frames, path: string): JoinedFile {
  const { startSeconds, fileFrom, to, isToEnd, outpoint } = slice
  const begin = frames.beginOf(slice)
  return {
    path,
    inpoint: begin?.shown ?? null,
    outpoint: isToEnd ? outpoint : startSeconds + to,
    seconds: to - (begin ? begin.shown - startSeconds : fileFrom),
  }
}

/** Whole files: a part begins with the one in which it does. */
function chosenFiles(all: readonly RecordingFile[], { from, to }: AskedPart) {
  const files: RecordingFile[] = []
  let at = 0
  let begin = 0
  for (const file of all) {
    const end = at + file.ms / 1000
    if (end > from && (to === null || at < to)) {
      if (files.length === 0) begin = at
      files.push(file)
    }
    at = end
  }
  return { files, seconds: to === null || to >= at ? null : to - begin }
}
