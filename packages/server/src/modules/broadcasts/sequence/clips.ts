import { durationArgs, extentArgs, keyframeBeforeArgs, likenessArgs } from '@siarin/media/argv/probe'
import type { LoopList } from '@siarin/media/loop-plan'
import { readerMemoryBytes } from '../../../platform/process/limited-tool.ts'
import { runBounded } from '../../../platform/process/run-bounded.ts'
import { type Pin, type StoredFile, withPinned } from '../../../platform/storage/storage.ts'
import type { LibraryService } from '../../library/library.service.ts'
import { SourceMissingError } from './source-errors.ts'

/** A video as a broadcast needs it. `path` is pinned from `find` on, until `release` is called with this very clip. */
export interface Clip {
  readonly videoId: string
  readonly filename: string
  /** Which rendition of it; null or left out: the video as it is. */
  readonly recipe?: string | null
  readonly path: string
  readonly durationMs: number
  readonly bytes: number
  /** How its end meets its beginning, with the file that is played behind it; null: it loops by itself. */
  readonly loop: { readonly list: LoopList; readonly tailPath: string | null } | null
}

export type Clips = ReturnType<typeof createClips>

/** A broadcast waits for it, so it does not give way. */
const PROBE = { timeoutMs: 15_000, maxBytes: 100_000, priority: 'normal' } as const

/** A file of which nobody asks any more is forgotten with the oldest. */
const MAX_KNOWN = 10_000

export type ClipLibrary = Pick<LibraryService, 'findById' | 'findAll' | 'playable' | 'playableRendition'>

interface Wanted {
  /** Behind a list in any case. */
  readonly asList?: boolean
  /** Where there is such a rendition; else, and where it is null, the video as it is. */
  readonly recipe?: string | null
}

export function createClips(library: ClipLibrary, ffprobePath: string) {
  const exactLengths = new Map<string, number>()
  /** A thousand broadcasts may begin with one video at the same moment. */
  const measuring = new Set<string>()
  const releases = new WeakMap<Clip, () => void>()
  const ask = async (args: string[]): Promise<string> => {
    const limits = { ...PROBE, memoryBytes: readerMemoryBytes() }
    const { code, stdout, timedOut } = await runBounded(ffprobePath, args, limits)
    // The machine is busy: that says nothing of the file.
    if (timedOut) throw new Error('a video could not be read in time')
    return code === 0 ? stdout.trim() : ''
  }
  const { listOf, likenessOf } = createFileFacts(ask)
  /** The row has whole milliseconds; over ten thousand passes the rest of one adds up to seconds. */
  async function measure(path: string, file: StoredFile): Promise<void> {
    if (measuring.has(path)) return
    measuring.add(path)
    // With a pin of its own: nobody waits for it, so the clip may have been released by then.
    const asked = withPinned(file, (pinned) => ask(durationArgs(pinned)))
    const ms = Number(await asked.finally(() => measuring.delete(path))) * 1000
    if (ms > 0) remember(exactLengths, path, ms)
  }

  return {
    async find(videoId: string | null, { asList = false, recipe = null }: Wanted = {}): Promise<Clip> {
      const video = videoId ? await library.findById(videoId) : null
      if (!video) throw new SourceMissingError('the video of this stream was deleted')
      const rendition = recipe === null ? null : await library.playableRendition(video, recipe)
      // Of a list, others play meanwhile. What is still being prepared has an original that may not be fit to be sent at all.
      if (asList && !rendition && !video.master && video.status !== 'ready') {
        throw new SourceMissingError('the video of this item is not ready')
      }
      const file = rendition ?? (await library.playable(video))
      const { path, bytes, release } = await pinOf(file)
      const tail = file.tail ? await pinOf(file.tail).catch((error) => releaseAndThrow(release, error)) : null
      const own = file.loop && { list: file.loop, tailPath: tail?.path ?? null }
      const loop =
        own || !asList
          ? own
          : { list: await listOf(path).catch((error) => releaseAndThrow(release, error)), tailPath: null }
      if (!loop && !exactLengths.has(path)) void measure(path, file).catch(() => {})
      const { id, filename, duration_ms } = video
      const played = { recipe: rendition ? recipe : null, path, bytes, loop }
      const clip: Clip = { videoId: id, filename, durationMs: duration_ms ?? 0, ...played }
      releases.set(clip, () => {
        release()
        tail?.release()
      })
      return clip
    },

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
      const lengths = (await library.findAll(videoIds)).flatMap(({ duration_ms }) => duration_ms ?? [])
      return lengths.length === 0 ? null : lengths.reduce((sum, ms) => sum + ms, 0) / lengths.length / 1000
    },

    /** The key frame at or before a position, in seconds; the start where none can be found. */
    async keyframeBefore({ path, loop }: Clip, positionMs: number): Promise<number> {
      if (positionMs < 1_000) return 0
      // A list counts from where its file begins, a file by itself from zero.
      const startSeconds = loop?.list.startSeconds ?? 0
      const asked = keyframeBeforeArgs(path, positionMs / 1000 + startSeconds)
      const [seconds = '', flags = ''] = (await ask(asked).catch(() => '')).split(',')
      const found = Number(seconds) - startSeconds
      return flags.startsWith('K') && found > 0 ? found : 0
    },

    /** Whether one can follow the other in the same session. */
    async areAlike(one: Clip, other: Clip): Promise<boolean> {
      // ffmpeg is told at its start whether it reads files or lists.
      if ((one.loop === null) !== (other.loop === null)) return false
      const [first, second] = await Promise.all([likenessOf(one.path), likenessOf(other.path)])
      return first !== '' && first === second
    },
  }
}

/** What is found out once about each file: a path never changes what it stands for. */
function createFileFacts(ask: (args: string[]) => Promise<string>) {
  const extents = new Map<string, LoopList>()
  const likenesses = new Map<string, string>()

  /** The list that plays a file as it is, so that files and looped originals can follow each other. */
  async function listOf(path: string): Promise<LoopList> {
    const known = extents.get(path)
    if (known) return known
    const [start, seconds] = (await ask(extentArgs(path))).split(',').map(Number)
    if (seconds === undefined || !(seconds > 0)) throw new SourceMissingError('the length of a video cannot be read')
    const list = { seconds, startSeconds: Number.isFinite(start) ? (start ?? 0) : 0, outpoint: null, bodySeconds: null }
    remember(extents, path, list)
    return list
  }

  async function likenessOf(path: string): Promise<string> {
    const known = likenesses.get(path)
    if (known !== undefined) return known
    const likeness = await ask(likenessArgs(path))
    if (likeness !== '') remember(likenesses, path, likeness)
    return likeness
  }

  return { listOf: askedOnce(listOf), likenessOf: askedOnce(likenessOf) }
}

/** Whoever asks while the same is being found out waits for that: an item is looked at ahead, and asked for in earnest soon after. */
function askedOnce<T>(find: (path: string) => Promise<T>): (path: string) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  return (path) => {
    const asked = underWay.get(path) ?? find(path).finally(() => underWay.delete(path))
    underWay.set(path, asked)
    return asked
  }
}

function remember<T>(known: Map<string, T>, path: string, fact: T): void {
  known.set(path, fact)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
}

function releaseAndThrow(release: () => void, error: unknown): never {
  release()
  throw error
}

async function pinOf(file: StoredFile): Promise<Pin & { bytes: number }> {
  try {
    const facts = await file.head()
    return { bytes: facts?.bytes ?? 0, ...(await file.pin()) }
  } catch (cause) {
    throw new SourceMissingError('the file of this video is gone', { cause })
  }
}
