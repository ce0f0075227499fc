import { SMALLEST_STEP_MS } from './clock.ts'

/** What both clocks of the machine show at one moment. Nobody sets the steady one, which begins when the machine is started. */
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
  /** Whether a time server has set it since the machine was started. */
  readonly isSynchronized?: () => boolean
}

/** A machine that starts again takes minutes. A clock in another zone is wrong by far more. */
const SHORT_GAP_MS = 600_000
/** A clock that runs is seldom off by more: so big a jump is more likely wrong than right. */
const BIG_JUMP = { fromMs: 600_000, patience: 10 }

/**
 * Whether to go by the wall clock. One that was set forward may be wrong, so it has to stand for a while first. One that was set back is
 * believed at once: what is then too early comes later, and nothing is lost. The same holds for one that comes back to where it stood.
 */
export function judgeClock(before: ClockState | null, look: ClockLook, rules: ClockRules): ClockState {
  const { settleMs, seenAt, isSynchronized = () => false } = rules
  const offset = look.wallMs - look.steadyMs
  const isSame = (known: number | null): boolean => known !== null && Math.abs(offset - known) < SMALLEST_STEP_MS
  const isSet = before === null || !isSame(before.offsetMs)
  const sinceMs = isSet ? look.steadyMs : before.sinceMs
  const trusted = before?.trustedMs ?? null
  // A machine may have been off for as long as the clock says, or have a clock in local time and a time server that answers late.
  const isGap = trusted === null && seenAt !== null && offset - seenAt > SHORT_GAP_MS
  const isBig = trusted === null ? isGap : Math.abs(offset - trusted) > BIG_JUMP.fromMs
  const hasStood = look.steadyMs - sinceMs >= settleMs * (isBig ? BIG_JUMP.patience : 1)
  const isBelieved = trusted === null ? !isGap || isSynchronized() : offset < trusted + SMALLEST_STEP_MS
  // Until a clock that was set back has stood, the way back to where it was is open.
  const isTrusted = hasStood || isSame(trusted) || (isBelieved && trusted === null)
  const mayBeAhead = !isBelieved && !hasStood
  return {
    // While it stands, its drift is followed only once it is trusted: many small steps are a big one.
    offsetMs: isSet || isSame(trusted) ? offset : before.offsetMs,
    sinceMs,
    trustedMs: isTrusted ? offset : trusted,
    mayBeAhead,
    doubtedMs: mayBeAhead && isBig ? look.steadyMs : (before?.doubtedMs ?? null),
  }
}
