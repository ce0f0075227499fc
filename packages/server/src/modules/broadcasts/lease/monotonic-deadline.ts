import { steadyMs } from '../../../platform/clock.ts'
import { monotonicMs } from '../../../platform/process/warden/deadline.ts'

/**
 * A deadline of `steadyMs` by `process.hrtime`, which the fence goes by. The fence's clock is read first: a program that is stopped between
 * the two readings finds less time left than there is, never more.
 */
export function monotonicDeadline(deadlineMs: number, clocks = { monotonicMs, steadyMs }): number {
  const now = clocks.monotonicMs()
  return now + Math.floor(deadlineMs - clocks.steadyMs())
}
