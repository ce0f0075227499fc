import { setTimeout as sleep } from 'node:timers/promises'
import { likenessArgs } from '@siarin/media/argv/probe'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import { withPinned } from '../../platform/storage/storage.ts'
import type { LibraryService } from '../library/library.service.ts'
import type { VideoRow } from '../library/video-row.ts'
import type { Likeness } from './judge-fits.ts'

interface LikenessesDeps {
  library: Pick<LibraryService, 'playable'>
  ffprobePath: string
}

const PROBE = { timeoutMs: 15_000, maxBytes: 100_000, priority: 'low' } as const
/** Somebody waits for the answer: what is not known by then is told the next time. */
const ANSWER_MS = 1_500
const MOST_KNOWN = 20_000
const MOST_WAITING = 1_000

/** The parameters of videos, by which they can follow each other or not. One video is looked at, at a time, and each master once. */
export function createLikenesses({ library, ffprobePath }: LikenessesDeps) {
  /** By the key of its master, whose content never changes. */
  const known = new Map<string, string>()
  const waiting = new Map<string, VideoRow>()
  let working: Promise<void> | null = null

  async function inspect(video: VideoRow): Promise<string> {
    const file = await library.playable(video)
    return withPinned(file, async (path) => {
      const options = { ...PROBE, memoryBytes: readerMemoryBytes() }
      const { code, stdout } = await runBounded(ffprobePath, likenessArgs(path), options)
      return code === 0 ? stdout.trim() : ''
    })
  }

  async function work(): Promise<void> {
    for (const [key, video] of waiting) {
      waiting.delete(key)
      const likeness = await inspect(video).catch(() => '')
      if (likeness === '') continue
      known.set(key, likeness)
      const [oldest] = known.keys()
      if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    }
    working = null
  }

  const keyOf = (video: VideoRow): string | null => (video.status === 'ready' ? (video.master?.key ?? null) : null)

  return {
    /** In the order of the videos; null: not ready, or not known yet. */
    async of(videos: readonly VideoRow[]): Promise<Likeness[]> {
      for (const video of videos) {
        const key = keyOf(video)
        if (key !== null && !known.has(key) && waiting.size < MOST_WAITING) waiting.set(key, video)
      }
      if (waiting.size > 0) working ??= work()
      if (working) await Promise.race([working, sleep(ANSWER_MS, undefined, { ref: false })])
      return videos.map((video) => known.get(keyOf(video) ?? '') ?? null)
    },
  }
}

export type Likenesses = ReturnType<typeof createLikenesses>
