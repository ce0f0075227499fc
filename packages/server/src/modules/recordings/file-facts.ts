import { likenessArgs } from '@siarin/media/argv/probe'
import { type Keyframe, keyframeMarksArgs, parseKeyframeMarks } from '@siarin/media/argv/recording'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import { type Storage, storedFile, withPinned } from '../../platform/storage/storage.ts'
import { createTurns } from '../../platform/turns.ts'
import type { Slice } from './slices.ts'

interface FileFactsDeps {
  readonly storage: Storage
  readonly ffprobePath: string
}

/** Key frames of one file, in its own clock: about every ten seconds, and those where something begins. */
interface KnownFrames {
  readonly grid: readonly Keyframe[]
  readonly begins: Map<string, Keyframe>
}

const PROBE_MS = 30_000
const PROBE_BYTES = 4 * 1024 ** 2
const AT_ONCE = 2
const STEP_SECONDS = 10
/** A year of broadcast is no longer than the list of an argument may be. */
const MOST_MARKS = 8_000
const MOST_KNOWN = 500
/** What begins at a key frame is written down in milliseconds, and may lie just before it. */
const ROUNDING_SECONDS = 0.02

export interface Frames {
  /** Where a slice begins; null: with its file. */
  beginOf(slice: Slice): Keyframe | null
  gridOf(slice: Slice): readonly Keyframe[]
}

export class FileGoneError extends Error {}

export type FileFacts = ReturnType<typeof createFileFacts>

const beginMark = ({ startSeconds, from }: Slice): number => startSeconds + from + ROUNDING_SECONDS

const markOf = (seconds: number): string => seconds.toFixed(3)

/** What is found out once about each file that recordings are played from. Stored files do not change. */
export function createFileFacts({ storage, ffprobePath }: FileFactsDeps) {
  const inTurn = createTurns(AT_ONCE)
  const frames = new Map<string, KnownFrames>()
  const likenesses = new Map<string, string>()

  const probe = (key: string, argsOf: (path: string) => string[]): Promise<string> =>
    inTurn(async () => {
      const limits = { memoryBytes: readerMemoryBytes(), timeoutMs: PROBE_MS, priority: 'waited-for' } as const
      const ran = await withPinned(storedFile(storage, key), (path) =>
        runBounded(ffprobePath, argsOf(path), { ...limits, maxBytes: PROBE_BYTES }),
      ).catch((error) => {
        throw new FileGoneError('a file of a recording cannot be opened', { cause: error })
      })
      if (ran.code !== 0) throw new FileGoneError('a file of a recording cannot be read')
      return ran.stdout
    })

  const ask = async (key: string, marks: readonly number[]): Promise<Keyframe[]> =>
    parseKeyframeMarks(await probe(key, (path) => keyframeMarksArgs(path, marks)))

  async function framesOf({ key, fileFrom, fileTo, startSeconds }: Slice): Promise<KnownFrames> {
    const known = frames.get(key)
    if (known) return known
    const seconds = Math.max(0, fileTo - fileFrom)
    const step = Math.max(STEP_SECONDS, seconds / MOST_MARKS)
    const count = Math.max(1, Math.ceil(seconds / step))
    const marks = Array.from({ length: count }, (_, index) => startSeconds + fileFrom + index * step)
    const found = { grid: await ask(key, marks), begins: new Map<string, Keyframe>() }
    if (found.grid.length === 0) throw new FileGoneError('a file of a recording has no picture')
    remember(frames, key, found)
    return found
  }

  async function addBegins(key: string, known: KnownFrames, begins: ReadonlySet<number>): Promise<void> {
    if (known.begins.size > MOST_MARKS) known.begins.clear()
    const missing = [...begins].filter((begin) => !known.begins.has(markOf(begin)))
    for (let from = 0; from < missing.length; from += MOST_MARKS) {
      const marks = missing.slice(from, from + MOST_MARKS)
      const found = await ask(key, marks)
      for (const mark of marks) {
        const before = found.findLast(({ shown }) => shown <= mark)
        if (before) known.begins.set(markOf(mark), before)
      }
    }
  }

  return {
    /** The key frames of all files that these slices are played from. */
    async framesOf(slices: Iterable<Slice>): Promise<Frames> {
      const wanted = new Map<string, { slice: Slice; begins: Set<number> }>()
      for (const slice of slices) {
        const own = wanted.get(slice.key) ?? { slice, begins: new Set<number>() }
        if (slice.from > slice.fileFrom) own.begins.add(beginMark(slice))
        wanted.set(slice.key, own)
      }
      const found = new Map<string, KnownFrames>()
      for (const [key, { slice, begins }] of wanted) {
        const known = await framesOf(slice)
        await addBegins(key, known, begins)
        found.set(key, known)
      }
      return {
        beginOf(slice) {
          if (slice.from <= slice.fileFrom) return null
          const known = found.get(slice.key)
          const begin = known?.begins.get(markOf(beginMark(slice)))
          // Before the first key frame lies nothing but sound.
          return begin && begin.shown > (known?.grid[0]?.shown ?? 0) ? begin : null
        },
        gridOf: ({ key }) => found.get(key)?.grid ?? [],
      }
    },

    /** Equal text, equal parameters: such files can be joined. */
    async likenessOf(key: string): Promise<string> {
      const known = likenesses.get(key)
      if (known !== undefined) return known
      const likeness = await probe(key, likenessArgs)
      remember(likenesses, key, likeness)
      return likeness
    },
  }
}

function remember<T>(known: Map<string, T>, key: string, fact: T): void {
  known.set(key, fact)
  const [oldest] = known.keys()
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
}
