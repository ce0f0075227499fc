import type { Progress } from '@siarin/media/parse/progress'

export type Verdict = 'moving' | 'quiet' | 'stalled' | 'lagging'

const STALLED_AFTER_MS = 15_000
/** What ffmpeg sends stays in this machine: by then the other side has not taken a byte for some seconds more, which its own memory swallowed. */
const UNTAKEN_AFTER_MS = 12_000
/** Less than this is no advance: ffmpeg's figures and the kernel's are of different moments, up to a second apart. */
const ADVANCE_MS = 2_500
/** Slower than this over a whole stretch: viewers see it stop and go. */
const SLOWEST_RATE = 0.8
const FIRST_STRETCH_MS = 60_000
/** Where a new session did not help, the next one is given longer: a slow line must not be cut every minute. */
const LONGEST_STRETCH_MS = 16 * 60_000
/** A program that looks this late is short of processor time, and so may be ffmpeg: no fault of the line. */
const LATE_LOOK_MS = 5_000
const MOST_FORGIVEN_MS = 60_000

/**
 * Judges whether a broadcast's bytes move, and fast enough. It goes by the machine's own steady clock, which nobody can set,
 * and by what has left the machine: ffmpeg counts as sent what the kernel still holds, which may be a minute's worth.
 */
export function createWatchdog(now: () => number = () => performance.now()) {
  let lastOutTimeMs = 0
  let advance = { at: now(), leftMs: Number.NEGATIVE_INFINITY }
  let judgedAt = now()
  let forgivenMs = 0
  let lookedAt = now()
  let stretchMs = FIRST_STRETCH_MS
  let stretch: { readonly at: number; readonly leftMs: number } | null = null

  function isLagging(leftMs: number): boolean {
    if (now() - lookedAt > LATE_LOOK_MS) stretch = null
    lookedAt = now()
    stretch ??= { at: now(), leftMs }
    const elapsed = now() - stretch.at
    if (elapsed < stretchMs) return false
    const rate = (leftMs - stretch.leftMs) / elapsed
    stretch = { at: now(), leftMs }
    const lags = rate < SLOWEST_RATE
    stretchMs = lags ? Math.min(stretchMs * 2, LONGEST_STRETCH_MS) : FIRST_STRETCH_MS
    return lags
  }

  return {
    begin(): void {
      judgedAt = now()
      forgivenMs = 0
      lastOutTimeMs = 0
      advance = { at: now(), leftMs: Number.NEGATIVE_INFINITY }
      stretch = null
    },
    judge(progress: Progress | null, unsentBytes = 0): Verdict {
      const missedMs = now() - judgedAt
      judgedAt = now()
      // This program stood still and could not see what moved: that time counts against nobody.
      if (missedMs > LATE_LOOK_MS && forgivenMs < MOST_FORGIVEN_MS) {
        forgivenMs += missedMs
        advance = { ...advance, at: advance.at + missedMs }
      }
      const outTimeMs = progress?.outTimeMs ?? 0
      const leftMs = outTimeMs - (progress?.bitrateKbps ? (unsentBytes * 8) / progress.bitrateKbps : 0)
      if (outTimeMs > 0 && leftMs >= advance.leftMs + ADVANCE_MS) {
        advance = { at: now(), leftMs }
        forgivenMs = 0
      }
      const isUntaken = outTimeMs > lastOutTimeMs && unsentBytes > 0
      if (now() - advance.at > (isUntaken ? UNTAKEN_AFTER_MS : STALLED_AFTER_MS)) return 'stalled'
      if (outTimeMs <= lastOutTimeMs) return 'quiet'
      lastOutTimeMs = outTimeMs
      return isLagging(leftMs) ? 'lagging' : 'moving'
    },
  }
}
