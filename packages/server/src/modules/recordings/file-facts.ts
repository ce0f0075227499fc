import { hash } from 'node:crypto'
import { likenessArgs } from '@siarin/media/argv/probe'
import { type Keyframe, keyframeMarksArgs, parseKeyframeMarks } from '@siarin/media/argv/recording'
import { createFairTurns } from '../../platform/fair-turns.ts'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import type { NextStep } from '../../platform/small-steps.ts'
import { type Storage, storedFile, withPinned } from '../../platform/storage/storage.ts'
import { createYieldingTurns } from '../../platform/yielding-turns.ts'
import type { FileFactsRepo } from './file-facts.repo.ts'
import { type Grid, SEGMENT_SECONDS } from './segments.ts'
import type { Slice } from './slices.ts'

interface FileFactsDeps {
  readonly storage: Storage
  readonly ffprobePath: string
  readonly repo: FileFactsRepo
}

const PROBE_MS = 30_000
const PROBE_BYTES = 4 * 1024 ** 2
/** One that takes long holds up nobody else's: forty thousand tags take ffprobe five seconds, each time. */
const READS = {
  ...{ atOnce: 2, mostWaiting: Infinity, mostWaitingEach: Infinity },
  givesWay: { afterMs: 1_500, atMostAfterMs: PROBE_MS, lookEveryMs: 100 },
}
/** A file may have to come from a store first, which takes minutes: that holds up nobody else's. Each copy takes room in the cache. */
const BROUGHT_AT_ONCE = 8
/** A year of broadcast is no longer than the list of an argument may be. */
const MOST_MARKS = 8_000
/** What is read of them is gone through at once. */
const MARKS_AT_ONCE = 2_000
/** Key frames that are remembered, of all files. */
const MOST_FRAMES = 50_000

const MARK = /^[0-9a-f]{64}( |$)/
const AAC = 'codec_name=aac'

/**
 * Equal marks, equal parameters. Those of a file with many tracks take much room, and a download holds them of each of its files. What stays
 * readable is what has to be known to join them.
 */
const markOf = (parameters: string): string =>
  [hash('sha256', parameters), ...(parameters.includes(AAC) ? [AAC] : [])].join(' ')

/** A file of a clip, as it is played. */
export type PlayedFile = Pick<Slice, 'key' | 'clipKey' | 'fileFrom' | 'fileTo' | 'startSeconds'>

interface Asked {
  readonly step: NextStep
  readonly signal?: AbortSignal | undefined
}

/** Whose file is read. */
interface Probed {
  readonly owner: string
  readonly key: string
  readonly signal?: AbortSignal | undefined
}

type Ran = Awaited<ReturnType<typeof runBounded>>

export class FileGoneError extends Error {}

export type FileFacts = ReturnType<typeof createFileFacts>

/** What is found out about each file that recordings are played from: once, and then kept. Stored files do not change. */
export function createFileFacts({ storage, ffprobePath, repo }: FileFactsDeps) {
  const ownersInTurn = createFairTurns({ atOnce: BROUGHT_AT_ONCE, mostWaiting: Infinity, mostWaitingEach: Infinity })
  const inTurn = createYieldingTurns(READS)
  const grids = new Map<string, Grid>()
  let frameCount = 0

  async function probe({ owner, key, signal }: Probed, argsOf: (path: string) => string[]): Promise<string> {
    const limits = { memoryBytes: readerMemoryBytes(), timeoutMs: PROBE_MS, priority: 'waited-for' } as const
    const read = (path: string) => (within: AbortSignal) =>
      runBounded(ffprobePath, argsOf(path), { ...limits, maxBytes: PROBE_BYTES, signal: within })
    const bringAndRead = (): Promise<Ran> =>
      withPinned(storedFile(storage, key), (path) => inTurn(owner, read(path), { signal })).catch((error) => {
        signal?.throwIfAborted()
        throw new FileGoneError('a file of a recording cannot be opened', { cause: error })
      })
    const ran = await ownersInTurn(owner, bringAndRead, { signal })
    if (ran.code !== 0) throw new FileGoneError('a file of a recording cannot be read')
    return ran.stdout
  }

  const ask = async (probed: Probed, marks: readonly number[]): Promise<Keyframe[]> =>
    parseKeyframeMarks(await probe(probed, (path) => keyframeMarksArgs(path, marks)))

  function remember(key: string, grid: Grid): Grid {
    // Two may have asked for it at once.
    frameCount -= grids.get(key)?.length ?? 0
    grids.delete(key)
    grids.set(key, grid)
    frameCount += grid.length
    for (const [oldest, frames] of grids) {
      if (frameCount <= MOST_FRAMES || oldest === key) break
      grids.delete(oldest)
      frameCount -= frames.length
    }
    return grid
  }

  async function probeGrid(
    owner: string,
    { key, fileFrom, fileTo, startSeconds }: PlayedFile,
    signal?: AbortSignal,
  ): Promise<Grid> {
    const seconds = Math.max(0, fileTo - fileFrom)
    const stepSeconds = Math.max(SEGMENT_SECONDS, seconds / MOST_MARKS)
    const count = Math.max(1, Math.ceil(seconds / stepSeconds))
    const marks = Array.from({ length: count }, (_, index) => startSeconds + fileFrom + index * stepSeconds)
    const grid = await ask({ owner, key, signal }, marks)
    if (grid.length === 0) throw new FileGoneError('a file of a recording has no picture')
    return grid
  }

  return {
    /** Key frames about every ten seconds, and the first one. A file that is not remembered takes a step. */
    async gridOf(owner: string, file: PlayedFile, { step, signal }: Asked): Promise<Grid> {
      const known = grids.get(file.key)
      if (known) return known
      await step(signal)
      const stored = await repo.framesOf(file.key)
      if (stored) return remember(file.key, stored)
      const grid = await probeGrid(owner, file, signal)
      await repo.keepFrames(owner, file, grid)
      return remember(file.key, grid)
    },

    /** The key frame at or before each mark, which are in order; null: there is none. Those who need it keep it. */
    async framesAt(probed: Probed, marks: readonly number[]): Promise<(Keyframe | null)[]> {
      const before: (Keyframe | null)[] = []
      for (let from = 0; from < marks.length; from += MARKS_AT_ONCE) {
        const asked = marks.slice(from, from + MARKS_AT_ONCE)
        const found = await ask(probed, asked)
        let next = 0
        for (const mark of asked) {
          while ((found[next]?.shown ?? Number.POSITIVE_INFINITY) <= mark) next++
          before.push(found[next - 1] ?? null)
        }
      }
      return before
    },

    /** Equal marks, equal parameters: such files can be joined. */
    async likenessOf(owner: string, key: string, signal?: AbortSignal): Promise<string> {
      const stored = await repo.likenessOf(key)
      // Versions up to 0.8.5 kept the parameters themselves.
      if (stored !== null) return MARK.test(stored) ? stored : markOf(stored)
      const likeness = markOf(await probe({ owner, key, signal }, likenessArgs))
      await repo.keepLikeness(owner, key, likeness)
      return likeness
    },
  }
}
