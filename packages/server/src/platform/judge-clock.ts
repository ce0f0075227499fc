import { SMALLEST_STEP_MS } from './clock.ts'

/** What both clocks of the machine show at one moment. Nobody sets the steady one. */
export interface ClockLook {
  readonly wallMs: number
  readonly steadyMs: number
}

export interface ClockState {
  /** How far the wall clock is before the steady one. */
  readonly offsetMs: number
  /** Since when nobody has set it, by the steady clock. */
  readonly sinceMs: number
  /** The offset that was last believed; null: none yet. */
  readonly trustedMs: number | null
  /** A clock that may be ahead: to act by it could do harm that the true time cannot undo. */
  readonly mayBeAhead: boolean
  /** When it last may have been ahead by much, by the steady clock; null: never. */
  readonly doubtedMs: number | null
}

interface ClockRules {
  /** A clock that was set forward is believed once it has stood for so long; after a big jump, ten times as long. */
  readonly settleMs: number
  /** The last time of day that is known from before this state; null: none is. */
  readonly seenAt: number | null
}

/** A machine that starts again takes minutes. A clock in another zone is wrong by far more. */
const SHORT_GAP_MS = 600_000
/** A clock that runs is seldom off by more: so big a jump is more likely wrong than right. */
const BIG_JUMP = { fromMs: 600_000, patience: 10 }

/**
 * Whether to go by the wall clock. One that was set forward may be wrong, so it has to stand for a while first. One that was set back is
 * believed at once: what is then too early comes later, and nothing is lost. The same holds for one that comes back to where it stood.
 */
export function judgeClock(before: ClockState | null, look: ClockLook, { settleMs, seenAt }: ClockRules): ClockState {
  const offset = look.wallMs - look.steadyMs
  const isSame = (known: number | null): boolean => known !== null && Math.abs(offset - known) < SMALLEST_STEP_MS
  const isSet = before === null || !isSame(before.offsetMs)
  const sinceMs = isSet ? look.steadyMs : before.sinceMs
  const trusted = before?.trustedMs ?? null
  const isBig = trusted !== null && Math.abs(offset - trusted) > BIG_JUMP.fromMs
  const hasStood = look.steadyMs - sinceMs >= settleMs * (isBig ? BIG_JUMP.patience : 1)
  const isBelieved =
    trusted === null ? seenAt === null || look.wallMs - seenAt <= SHORT_GAP_MS : offset < trusted + SMALLEST_STEP_MS
  // Until a clock that was set back has stood, the way back to where it was is open.
  const isTrusted = hasStood || isSame(trusted) || (isBelieved && trusted === null)
  const mayBeAhead = !isBelieved && !hasStood
  return {
    // While it stands, its drift is followed only once it is trusted: many small steps are a big one.
    offsetMs: isSet || isSame(trusted) ? offset : before.offsetMs,
    sinceMs,
    trustedMs: isTrusted ? offset : trusted,
    mayBeAhead,
    // Without a trusted one before, it is a gap of more than minutes.
    doubtedMs: mayBeAhead && (trusted === null || isBig) ? look.steadyMs : (before?.doubtedMs ?? null),
  }
}
