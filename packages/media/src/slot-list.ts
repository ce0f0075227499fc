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

/** So many entries cost about 5 MB of memory, with lists behind them 10 MB. */
const MAX_ENTRIES = 20_000
const MIN_ENTRIES = 2
const SHORTEST_MEAN_SECONDS = 1

/**
 * ffmpeg measures a whole round itself, and counts the sound a frame short: where lists are behind the slots, two passes of sound overlap by
 * that much each time it wraps round. So it wraps seldom.
 */
const ROUND_SECONDS = 6 * 3600
const MAX_ROUND_ENTRIES = 2_000

interface SlotStart {
  readonly fromSeconds: number
  readonly clipSeconds: number
  readonly maxSeconds: number
  /** Behind the slots are lists (see loopListText), not files. */
  readonly hasLists: boolean
  /**
   * How long a clip lasts on average, where other clips follow; null: the same one again. Such a list never wraps round: a slot that leads
   * nowhere ends the session (see SLOT_END), and ffmpeg would take that for the end of the list and begin it anew.
   */
  readonly meanSeconds?: number | null
}

/** What a slot points to that nothing is behind: when ffmpeg comes to it, it sends what it has and ends. */
export const SLOT_END = 'end'

/** Clips may turn out shorter than they were when the session began. */
const SPARE = 1.5

/**
 * `fromSeconds` must be a key frame: there the first pass begins. A list with such a beginning must not wrap round (its times
 * would run backward), so it is written out for `maxSeconds`, and the broadcast begins anew at its end.
 */
export function slotList({ fromSeconds, clipSeconds, maxSeconds, hasLists, meanSeconds = null }: SlotStart): SlotList {
  const entry = (slot: number): string => `file ${SLOTS[slot % 2]}${hasLists ? LIST_OPTIONS : ''}`
  if (meanSeconds === null && (!(fromSeconds > 0) || !(clipSeconds > 0))) {
    const passes = hasLists && clipSeconds > 0 ? Math.min(MAX_ROUND_ENTRIES, Math.ceil(ROUND_SECONDS / clipSeconds)) : 0
    // An even number, so that the slots keep taking turns where it wraps round.
    const count = Math.max(MIN_ENTRIES, passes + (passes % 2))
    return { text: listOf(Array.from({ length: count }, (_, index) => entry(index))), wraps: true }
  }
  const passes =
    meanSeconds === null
      ? (maxSeconds + fromSeconds) / clipSeconds
      : (maxSeconds * SPARE) / Math.max(SHORTEST_MEAN_SECONDS, meanSeconds)
  const count = Math.min(MAX_ENTRIES, Math.max(MIN_ENTRIES, Math.ceil(passes)))
  const later = Array.from({ length: count - 1 }, (_, index) => entry(index + 1))
  const first = fromSeconds > 0 ? `${entry(0)}\ninpoint ${fromSeconds.toFixed(6)}` : entry(0)
  return { text: listOf([first, ...later]), wraps: false }
}

/** A list names a file by its whole path, which ffmpeg has to be told is safe; conversions that nothing needs would cost an eighth more CPU. */
const LIST_OPTIONS = '\noption safe 0\noption auto_convert 0'

const listOf = (entries: readonly string[]): string => `ffconcat version 1.0\n${entries.join('\n')}\n`

/** Where in its video a looping broadcast is. One that joins in later is at its start until then. */
export function loopPosition(at: { fromMs: number; outTimeMs: number; clipMs: number }): number {
  if (!(at.clipMs > 0)) return 0
  return Math.max(0, at.fromMs + at.outTimeMs) % at.clipMs
}
