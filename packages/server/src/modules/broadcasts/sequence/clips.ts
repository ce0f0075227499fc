import { durationArgs } from '@siarin/media/argv/probe'
import type { LoopList } from '@siarin/media/loop-plan'
import { StoreAwayError } from '../../../errors.ts'
import { broadcastMemory, readerMemoryBytes } from '../../../platform/process/limited-tool.ts'
import { runBounded } from '../../../platform/process/run-bounded.ts'
import { CacheFullError } from '../../../platform/storage/cache-full-error.ts'
import { type Pin, type StoredFile, withPinned } from '../../../platform/storage/storage.ts'
import type { LibraryService } from '../../library/library.service.ts'
import { createFileFacts, type FileVersion, type Probe, remember } from './file-facts.ts'
import { createKeyframes } from './keyframes.ts'
import { SourceMissingError } from './source-errors.ts'

/** A video as a broadcast needs it. `path` is pinned from `find` on, until `release` is called with this very clip. */
export interface Clip {
  readonly videoId: string
  readonly filename: string
  /** Which rendition of it; null or left out: the video as it is. */
  readonly recipe?: string | null
  readonly path: string
  /** The storage keys of its file and of what is played behind it: their content never changes. Left out: it has none. */
  readonly key?: string
  readonly tailKey?: string | null
  /** Changes with the content of the file; left out: it has none. */
  readonly version?: string
  readonly durationMs: number
  readonly bytes: number
  /** How many packets an ffmpeg that plays it keeps a list of; Infinity, or left out: nobody knows. */
  readonly packets?: number
  /**
   * How its end meets its beginning, with the file that is played behind it; null: it loops by itself. `isWhole`: the list says nothing that the
   * file does not say itself, so ffmpeg is handed the file: a list is one more container for it to open and inspect at each join.
   */
  readonly loop: { readonly list: LoopList; readonly tailPath: string | null; readonly isWhole?: boolean } | null
}

export type Clips = ReturnType<typeof createClips>

/** 60 pictures and 48,000 samples of sound, 1,024 in a packet. */
const MOST_PACKETS_PER_SECOND = 107

/** A broadcast waits for it, so it does not give way. */
const PROBE = { timeoutMs: 15_000, maxBytes: 100_000, priority: 'normal' } as const

export type ClipLibrary = Pick<LibraryService, 'findById' | 'outlinesOf' | 'playable' | 'playableRendition'>

interface Wanted {
  /** Behind a list in any case, and only if it is whole: of a list, others can be played instead. */
  readonly asList?: boolean
  /** Where there is such a rendition; else, and where it is null, the video as it is. */
  readonly recipe?: string | null
}

export function createClips(library: ClipLibrary, ffprobePath: string, probe: Probe = probeWith(ffprobePath)) {
  const exactLengths = new Map<string, number>()
  /** A thousand broadcasts may begin with one video at the same moment. */
  const measuring = new Set<string>()
  const releases = new WeakMap<Clip, () => unknown>()
  const files = new WeakMap<Clip, PlayedFile>()
  const ask = async (args: string[]): Promise<string> => (await probe(args)) ?? ''
  const { listOf, likenessOf, packetsOf } = createFileFacts(probe)
  const countOf = countBy(packetsOf)
  /** The row has whole milliseconds; over ten thousand passes the rest of one adds up to seconds. */
  async function measure(path: string, file: StoredFile): Promise<void> {
    if (measuring.has(path)) return
    measuring.add(path)
    // With a pin of its own: nobody waits for it, so the clip may have been released by then.
    const asked = withPinned(file, (pinned) => ask(durationArgs(pinned)))
    const ms = Number(await asked.finally(() => measuring.delete(path))) * 1000
    if (ms > 0) remember(exactLengths, path, ms)
  }

  /** As an item of a list: behind a list, and only if ffprobe can read it. Both are found out at once, since a short item waits for it. */
  async function listed(file: FileVersion, own: Clip['loop']): Promise<NonNullable<Clip['loop']>> {
    const [list, likeness] = await Promise.all([own?.list ?? listOf(file), likenessOf(file)])
    if (likeness === null) throw new SourceMissingError('the file of this video cannot be read', { why: 'damaged' })
    // A list counts from where its file begins, a file by its own clock: to begin in the middle the two have to be the same.
    return own ?? { list, tailPath: null, isWhole: list.startSeconds === 0 }
  }

  return {
    async find(videoId: string | null, { asList = false, recipe = null }: Wanted = {}): Promise<Clip> {
      const video = videoId ? await library.findById(videoId) : null
      if (!video) throw new SourceMissingError('the video of this stream was deleted')
      const rendition = recipe === null ? null : await library.playableRendition(video, recipe)
      // A list plays others meanwhile. What is still being prepared has an original that may not be fit to be sent at all.
      if (asList && !rendition && !video.master && video.status !== 'ready') {
        throw new SourceMissingError('the video of this item is not ready', { why: 'not-ready' })
      }
      const file = rendition ?? (await library.playable(video))
      const { path, version, bytes, release } = await pinOf(file, asList)
      const tail = file.tail ? await pinOf(file.tail, asList).catch((error) => releaseAndThrow(release, error)) : null
      const releaseBoth = () => [release(), tail?.release()]
      const own = file.loop && { list: file.loop, tailPath: tail?.path ?? null }
      const parts = [{ path, version }, ...(tail ? [{ path: tail.path, version: tail.version }] : [])]
      const found = asList ? listed({ path, version }, own) : own
      const [loop, count] = await Promise.all([found, countOf(parts, video.duration_ms)]).catch((error) =>
        releaseAndThrow(releaseBoth, error),
      )
      if (!loop && !exactLengths.has(path)) void measure(path, file).catch(() => {})
      const { id, filename, duration_ms } = video
      const keys = { key: file.key, tailKey: file.tail?.key ?? null }
      const played = { recipe: rendition ? recipe : null, path, version, bytes, packets: count, loop, ...keys }
      const clip: Clip = { videoId: id, filename, durationMs: duration_ms ?? 0, ...played }
      releases.set(clip, releaseBoth)
      files.set(clip, file)
      return clip
    },

    /** Whether the file is what it was when the clip was found. Costs a look at the file, and no more. */
    isUnchanged: (clip: Clip): Promise<boolean> => isUnchanged(clip, files.get(clip)),

    /** When no broadcast needs its path any more. An online clip has no file: it does nothing there, nor at a second call. */
    release(clip: Clip): void {
      releases.get(clip)?.()
      releases.delete(clip)
    },

    /** As exactly as is known by now. */
    durationOf: ({ path, durationMs, loop }: Clip): number =>
      loop ? loop.list.seconds * 1000 : (exactLengths.get(path) ?? durationMs),

    /** How long one of these videos lasts on average; null: that is known of none. */
    async meanSecondsOf(videoIds: readonly string[]): Promise<number | null> {
      const lengths = (await library.outlinesOf(videoIds)).flatMap(({ duration_ms }) => duration_ms ?? [])
      return lengths.length === 0 ? null : lengths.reduce((sum, ms) => sum + ms, 0) / lengths.length / 1000
    },

    keyframeBefore: createKeyframes(probe),

    /** Whether one can follow the other in the same session. */
    areAlike: createAreAlike(likenessOf),
  }
}

const needsMost = ({ packets }: Clip): boolean => broadcastMemory(packets) === 'most'

function createAreAlike(likenessOf: (clip: Clip) => Promise<string | null>) {
  /** They follow one that needs much memory. ffmpeg has its memory from its start on, so what needs as much may come again. */
  const inLarge = new WeakSet<Clip>()
  return async (one: Clip, other: Clip): Promise<boolean> => {
    const hasMost = needsMost(one) || inLarge.has(one)
    if (!hasMost && needsMost(other)) return false
    // ffmpeg is told at its start whether it reads files or lists.
    if ((one.loop === null) !== (other.loop === null)) return false
    const [first, second] = await Promise.all([likenessOf(one), likenessOf(other)])
    const areAlike = Boolean(first) && first === second
    if (areAlike && hasMost) inLarge.add(other)
    return areAlike
  }
}

/** Other containers than MP4 are taken for ones that list all that they can have. What cannot be read gets all the memory that there is. */
const countBy =
  (packetsOf: (file: FileVersion) => Promise<number | null>) =>
  async (parts: readonly FileVersion[], durationMs: number | null): Promise<number> => {
    const most = durationMs === null ? Number.POSITIVE_INFINITY : (durationMs / 1000) * MOST_PACKETS_PER_SECOND
    const counts = parts.map(async (part) => (await packetsOf(part)) ?? most)
    const packets = await Promise.all(counts).catch(() => [Number.POSITIVE_INFINITY])
    return packets.reduce((sum, each) => sum + each, 0)
  }

/** Null: ffprobe says that the file cannot be read. Nothing: nobody knows. */
const probeWith =
  (ffprobePath: string): Probe =>
  async (args, timeoutMs = PROBE.timeoutMs) => {
    const limits = { ...PROBE, timeoutMs, memoryBytes: readerMemoryBytes() }
    const { code, stdout, stderr, timedOut } = await runBounded(ffprobePath, args, limits)
    // The machine is busy: that says nothing of the file.
    if (timedOut) throw new Error('a video could not be read in time')
    if (code === 0) return stdout.trim()
    // Nor does what ended it from outside, or a lack of memory.
    return code === null || OUT_OF_MEMORY.test(stderr) ? '' : null
  }

const OUT_OF_MEMORY = /Cannot allocate memory|Out of memory/i

/** For a clip that was found, where what follows fails: nobody else would let go of it. */
export const releasing =
  ({ release }: { release(clip: Clip): void }, clip: Clip | null) =>
  (error: unknown): never => {
    if (clip) release(clip)
    throw error
  }

function releaseAndThrow(release: () => unknown, error: unknown): never {
  release()
  throw error
}

type PlayedFile = StoredFile & { readonly bytes?: number | null; readonly tail?: StoredFile | null | undefined }

async function isUnchanged({ version, bytes }: Clip, file: PlayedFile | undefined): Promise<boolean> {
  const facts = await file?.head().catch(() => null)
  if (!facts || facts.etag !== version || facts.bytes !== bytes) return false
  const tail = file?.tail
  const tailFacts = await tail?.head().catch(() => null)
  return !tail || Boolean(tailFacts && !isCut(tail, tailFacts.bytes))
}

/** A file that was cut off plays to where it ends, and then nothing comes until it should have ended. */
const isCut = (file: PlayedFile, bytes: number): boolean => Boolean(file.bytes && bytes < file.bytes)

async function pinOf(file: PlayedFile, mustBeWhole: boolean): Promise<Pin & { bytes: number; version: string }> {
  const fail = mustBeWhole ? isGone : isGoneOrAway
  const facts = await file.head().catch(fail)
  if (mustBeWhole && facts && isCut(file, facts.bytes))
    throw new SourceMissingError('a part of the file of this video is gone', { why: 'damaged' })
  return { bytes: facts?.bytes ?? 0, version: facts?.etag ?? '', ...(await file.pin().catch(fail)) }
}

/** A list plays others meanwhile. A single one is waited for where only its store is away, or has no room for it here. */
function isGoneOrAway(cause: unknown): never {
  if (cause instanceof StoreAwayError || cause instanceof CacheFullError) throw cause
  isGone(cause)
}

function isGone(cause: unknown): never {
  throw new SourceMissingError('the file of this video is gone', { cause })
}
