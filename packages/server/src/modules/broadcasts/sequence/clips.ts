import { durationArgs, keyframeBeforeArgs, likenessArgs } from '@siarin/media/argv/probe'
import { readerMemoryBytes } from '../../../platform/process/limited-tool.ts'
import { runBounded } from '../../../platform/process/run-bounded.ts'
import { type Pin, type StoredFile, withPinned } from '../../../platform/storage/storage.ts'
import type { LibraryService } from '../../library/library.service.ts'
import { SourceMissingError } from './source-errors.ts'

/** A video as a broadcast needs it. `path` is pinned from `find` on, until `release` is called with this very clip. */
export interface Clip {
  readonly videoId: string
  readonly filename: string
  readonly path: string
  readonly durationMs: number
  readonly bytes: number
}

export type Clips = ReturnType<typeof createClips>

/** A broadcast waits for it, so it does not give way. */
const PROBE = { timeoutMs: 15_000, maxBytes: 100_000, priority: 'normal' } as const

/** A file whose length nobody asks for any more is forgotten with the oldest. */
const MAX_KNOWN_LENGTHS = 10_000

export function createClips(library: Pick<LibraryService, 'findById' | 'playable'>, ffprobePath: string) {
  const exactLengths = new Map<string, number>()
  const releases = new WeakMap<Clip, () => void>()
  const ask = async (args: string[]): Promise<string> => {
    const { code, stdout } = await runBounded(ffprobePath, args, { ...PROBE, memoryBytes: readerMemoryBytes() })
    return code === 0 ? stdout.trim() : ''
  }
  /** The row has whole milliseconds; over ten thousand passes the rest of one adds up to seconds. */
  async function measure(path: string, file: StoredFile): Promise<void> {
    // With a pin of its own: nobody waits for it, so the clip may have been released by then.
    const ms = Number(await withPinned(file, (pinned) => ask(durationArgs(pinned)))) * 1000
    if (!(ms > 0)) return
    exactLengths.set(path, ms)
    const [oldest] = exactLengths.keys()
    if (exactLengths.size > MAX_KNOWN_LENGTHS && oldest !== undefined) exactLengths.delete(oldest)
  }

  return {
    async find(videoId: string | null): Promise<Clip> {
      const video = videoId ? await library.findById(videoId) : null
      if (!video) throw new SourceMissingError('the video of this stream was deleted')
      const file = await library.playable(video)
      const { path, bytes, release } = await pinOf(file)
      if (!exactLengths.has(path)) void measure(path, file).catch(() => {})
      const { id, filename, duration_ms } = video
      const clip: Clip = { videoId: id, filename, path, durationMs: duration_ms ?? 0, bytes }
      releases.set(clip, release)
      return clip
    },

    /** When no broadcast needs its path any more. An online clip has no file: it does nothing there, nor at a second call. */
    release(clip: Clip): void {
      releases.get(clip)?.()
      releases.delete(clip)
    },

    /** As exactly as is known by now. */
    durationOf: ({ path, durationMs }: Clip): number => exactLengths.get(path) ?? durationMs,

    /** The key frame at or before a position, in seconds; the start where none can be found. */
    async keyframeBefore({ path }: Clip, positionMs: number): Promise<number> {
      if (positionMs < 1_000) return 0
      const [seconds = '', flags = ''] = (await ask(keyframeBeforeArgs(path, positionMs / 1000)).catch(() => '')).split(
        ',',
      )
      return flags.startsWith('K') && Number(seconds) > 0 ? Number(seconds) : 0
    },

    /** Whether one can follow the other in the same session. */
    async areAlike(one: Clip, other: Clip): Promise<boolean> {
      const [first, second] = await Promise.all([ask(likenessArgs(one.path)), ask(likenessArgs(other.path))])
      return first !== '' && first === second
    },
  }
}

async function pinOf(file: StoredFile): Promise<Pin & { bytes: number }> {
  try {
    const facts = await file.head()
    return { bytes: facts?.bytes ?? 0, ...(await file.pin()) }
  } catch (cause) {
    throw new SourceMissingError('the file of this video is gone', { cause })
  }
}
