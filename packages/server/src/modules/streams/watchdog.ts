import type { Progress } from '@siarin/media/parse/progress'

export type Verdict = 'moving' | 'quiet' | 'stalled' | 'lagging'

const STALLED_AFTER_MS = 15_000
/** Less than this is no advance: at a server that has stopped reading, the figures still tremble. */
const STEP_MS = 500
/** Slower than this over a whole stretch: whoever watches sees it stop and go. */
const SLOWEST_RATE = 0.8
const FIRST_STRETCH_MS = 60_000
/** Where a new session did not help, the next one is given longer: a slow line must not be cut every minute. */
const LONGEST_STRETCH_MS = 16 * 60_000

/**
 * Judges whether a broadcast's bytes move, and fast enough. It goes by the machine's own steady clock, which nobody can set, and
 * by what has left the machine: ffmpeg counts as sent what the kernel still holds, which may be a minute's worth.
 */
export function createWatchdog(now: () => number = () => performance.now()) {
  let arrivedMs = -STEP_MS
  let advancedAt = now()
  let stretchMs = FIRST_STRETCH_MS
  let stretch: { readonly at: number; readonly arrivedMs: number } | null = null

  function isLagging(): boolean {
    stretch ??= { at: now(), arrivedMs }
    const elapsed = now() - stretch.at
    if (elapsed < stretchMs) return false
    const rate = (arrivedMs - stretch.arrivedMs) / elapsed
    stretch = { at: now(), arrivedMs }
    const lags = rate < SLOWEST_RATE
    stretchMs = lags ? Math.min(stretchMs * 2, LONGEST_STRETCH_MS) : FIRST_STRETCH_MS
    return lags
  }

  return {
    begin(): void {
      arrivedMs = -STEP_MS
      advancedAt = now()
      stretch = null
    },
    judge(progress: Progress | null, unsentBytes = 0): Verdict {
      const outTimeMs = progress?.outTimeMs ?? 0
      const unsentMs = progress?.bitrateKbps ? (unsentBytes * 8) / progress.bitrateKbps : 0
      if (outTimeMs > 0 && outTimeMs - unsentMs > arrivedMs + STEP_MS) {
        arrivedMs = outTimeMs - unsentMs
        advancedAt = now()
        return isLagging() ? 'lagging' : 'moving'
      }
      return now() - advancedAt > STALLED_AFTER_MS ? 'stalled' : 'quiet'
    },
  }
}
