const LOOK_EVERY_MS = 3_000
/** Longer than a segment lasts. */
const FED_FOR_MS = 15_000
/** Nobody has asked for so long: what was known then is known no more. */
const FORGOTTEN_AFTER_MS = 10_000

interface SourcePulseDeps {
  /** Returns what changes whenever the source adds something. */
  look: () => Promise<string>
  now: () => number
}

/**
 * Whether a source adds something. An ffmpeg that reads one which stands still asks for its list again and again: that takes processor time
 * too, and is no sign that anything is sent. Only looks where somebody asks.
 */
export function createSourcePulse({ look, now }: SourcePulseDeps): { isFed(): boolean } {
  let mark: string | null = null
  let changedAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let isLooking = false

  async function lookAgain(): Promise<void> {
    isLooking = true
    lookedAt = now()
    try {
      const seen = await look()
      if (mark !== null && mark !== seen) changedAt = now()
      mark = seen
    } catch {
      // A source that cannot be read adds nothing.
    } finally {
      isLooking = false
    }
  }

  return {
    isFed() {
      if (now() - askedAt > FORGOTTEN_AFTER_MS) {
        mark = null
        // It may well be fed: to say otherwise takes an ffmpeg off air.
        changedAt = now()
      }
      askedAt = now()
      if (!isLooking && now() - lookedAt >= LOOK_EVERY_MS) void lookAgain()
      return now() - changedAt < FED_FOR_MS
    },
  }
}
