import { type Clock, steadyMs } from './clock.ts'
import { type ClockState, judgeClock } from './judge-clock.ts'

/**
 * By how much the clock was set since it was last believed: for what needs one time line and can do without the true time of day. It waits for
 * nothing, and has to be asked often: a step counts from when it is seen.
 */
export function createClockError(clock: Clock, settleMs: number, steady: () => number = steadyMs): () => number {
  let state: ClockState | null = null
  return () => {
    const look = { wallMs: clock.now(), steadyMs: steady() }
    state = judgeClock(state, look, { settleMs, seenAt: null })
    const offset = look.wallMs - look.steadyMs
    return Math.round(offset - (state.trustedMs ?? offset))
  }
}
