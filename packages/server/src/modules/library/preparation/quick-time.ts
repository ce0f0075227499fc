import { quickMs } from '@siarin/media/work-bounds'
import { createBoundedMap } from '../../../platform/bounded-map.ts'
import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { VideoRow } from '../video-row.ts'

interface QuickTimeDeps {
  log: Log
  timings: Pick<Timings['mediaTools'], 'quickMs' | 'quickAgainMs'>
}

/** A user whose video took too long may have a hundred more like it. */
const AGAIN_WITHIN_MS = 3_600_000
const MOST_USERS = 1_000

/**
 * How long the quick lane makes one video: no header tells how long a decoder takes, and others wait meanwhile. Returns null where it takes
 * longer. The long lane then begins with it anew.
 */
export function createQuickTime({ log, timings }: QuickTimeDeps) {
  /** Whose videos took longer, and when. */
  const late = createBoundedMap<number>(MOST_USERS)
  const wasLate = (userId: string): boolean =>
    performance.now() - (late.get(userId) ?? Number.NEGATIVE_INFINITY) < AGAIN_WITHIN_MS

  return async <Made>(
    { id, user_id: userId, original_bytes: bytes }: Pick<VideoRow, 'id' | 'user_id' | 'original_bytes'>,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<Made>,
  ): Promise<Made | null> => {
    const begunMs = performance.now()
    const over = new AbortController()
    const timer = setTimeout(
      () => over.abort(),
      quickMs(bytes, wasLate(userId) ? timings.quickAgainMs : timings.quickMs),
    )
    try {
      return await make(AbortSignal.any([signal, over.signal]))
    } catch (error) {
      if (signal.aborted) throw error
      // Also one that failed by itself after a while: others waited as long for it.
      if (performance.now() - begunMs > quickMs(bytes, timings.quickAgainMs)) late.set(userId, performance.now())
      if (!over.signal.aborted) throw error
      log.warn({ videoId: id, userId }, 'a video takes long to prepare: it goes on in the long lane')
      return null
    } finally {
      clearTimeout(timer)
    }
  }
}
