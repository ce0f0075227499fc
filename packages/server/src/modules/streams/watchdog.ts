import type { Progress } from '@siarin/media/parse/progress'

const STALLED_AFTER_MS = 15_000

/** Judges whether a broadcast's bytes move. It goes by the machine's own steady clock, which nobody can set. */
export function createWatchdog(now: () => number = () => performance.now()) {
  let lastOutTimeMs = 0
  let advancedAt = now()
  return {
    begin(): void {
      lastOutTimeMs = 0
      advancedAt = now()
    },
    judge(progress: Progress | null): 'moving' | 'quiet' | 'stalled' {
      if (progress?.outTimeMs != null && progress.outTimeMs > lastOutTimeMs) {
        lastOutTimeMs = progress.outTimeMs
        advancedAt = now()
        return 'moving'
      }
      return now() - advancedAt > STALLED_AFTER_MS ? 'stalled' : 'quiet'
    },
  }
}
