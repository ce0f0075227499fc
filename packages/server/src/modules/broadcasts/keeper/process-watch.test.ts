import type { Progress } from '@siarin/media/parse/progress'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEvents } from '../../../platform/events/events.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
import type { Clip } from '../sequence/clips.ts'
import { createProcessWatch } from './process-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What is said in the end of an ffmpeg that has spoken once, and works on for half a minute. */
async function verdictOf(relay: { isFed: () => boolean } | null, videoId: string) {
  const begun = performance.now()
  const process = {
    ...{ pid: 1, reading: () => null },
    lastWords() {
      const guessedMs = performance.now() - begun
      return { progress: { outTimeMs: 9_000 + guessedMs } as Progress, agoMs: 0, saidAt: 1, guessedMs }
    },
  } as unknown as BroadcastProcess
  const watch = createProcessWatch({
    ...{ events: createEvents(), unsentOf: () => async () => 0, durationOf: () => 0, onReading: () => {}, relay },
  })
  watch.begin(process, false)
  for (let second = 0; second < 30; second++) {
    vi.advanceTimersByTime(1_000)
    const { verdict } = await watch.read(process, { videoId } as Clip)
    if (verdict === 'stalled') return verdict
  }
  return 'goes on'
}

it('[SAFE-04] an ffmpeg that is silent and works moves, unless it only asks a source that has nothing for it', async () => {
  expect(await verdictOf(null, 'a-video')).toBe('goes on')
  expect(await verdictOf({ isFed: () => true }, '')).toBe('goes on')
  expect(await verdictOf({ isFed: () => false }, '')).toBe('stalled')
  // The video that stands in for it.
  expect(await verdictOf({ isFed: () => false }, 'a-video')).toBe('goes on')
})
