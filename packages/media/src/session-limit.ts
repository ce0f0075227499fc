/** FLV counts milliseconds in 31 bits, which is 24.8 days: no session may be longer, whatever its platform allows. */
export const LONGEST_SESSION_MS = 24 * 86_400_000

const MARGIN_MS = 30_000
const MARGIN_PART = 0.1

export interface SessionSoFar {
  readonly ranMs: number
  /** The video has just come to its end and begins anew: here nobody sees a cut. */
  readonly atBoundary: boolean
  readonly clipMs: number
  /** How long the platform lets a session last; null: as long as it likes. */
  readonly limitMs: number | null
}

/**
 * Whether a broadcast should begin a new session now: at the last end of its video before the limit, or, when a video is so
 * long that none comes, shortly before it.
 */
export function shouldRenewSession({ ranMs, atBoundary, clipMs, limitMs }: SessionSoFar): boolean {
  const limit = Math.min(limitMs ?? Number.POSITIVE_INFINITY, LONGEST_SESSION_MS)
  const latest = limit - Math.min(MARGIN_MS, limit * MARGIN_PART)
  return ranMs >= latest || (atBoundary && ranMs + clipMs > latest)
}
