/**
 * A broadcast reads two slots, one after the other, for ever. A slot is a link that ffmpeg opens anew each time it comes to
 * it, so what the links point to decides what plays next: a loop has one video behind both.
 */
export const SLOTS = ['0.mp4', '1.mp4'] as const

export interface SlotList {
  /** For ffmpeg's concat demuxer. */
  readonly text: string
  /** The list is read round and round; otherwise it is long enough and ends. */
  readonly wraps: boolean
}

/** So many entries cost about 5 MB of memory. */
const MAX_ENTRIES = 20_000
const MIN_ENTRIES = 2

/**
 * `fromSeconds` must be a key frame: there the first pass begins. A list with such a beginning must not wrap round (its times
 * would run backward), so it is written out for `maxSeconds`, and the broadcast begins anew at its end.
 */
export function slotList(start: { fromSeconds: number; clipSeconds: number; maxSeconds: number }): SlotList {
  const { fromSeconds, clipSeconds, maxSeconds } = start
  if (!(fromSeconds > 0) || !(clipSeconds > 0)) return { text: listOf([entry(0), entry(1)]), wraps: true }
  const passes = Math.ceil((maxSeconds + fromSeconds) / clipSeconds)
  const count = Math.min(MAX_ENTRIES, Math.max(MIN_ENTRIES, passes))
  const later = Array.from({ length: count - 1 }, (_, index) => entry((index + 1) % 2))
  return { text: listOf([`${entry(0)}\ninpoint ${fromSeconds.toFixed(6)}`, ...later]), wraps: false }
}

const entry = (slot: number): string => `file ${SLOTS[slot]}`
const listOf = (entries: readonly string[]): string => `ffconcat version 1.0\n${entries.join('\n')}\n`

/** Where in its video a looping broadcast is. */
export function loopPosition(at: { fromMs: number; outTimeMs: number; clipMs: number }): number {
  if (!(at.clipMs > 0)) return 0
  const position = (at.fromMs + at.outTimeMs) % at.clipMs
  return position < 0 ? position + at.clipMs : position
}
