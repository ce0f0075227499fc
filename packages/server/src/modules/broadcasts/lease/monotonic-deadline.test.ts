import { describe, expect, it } from 'vitest'
import { monotonicDeadline } from './monotonic-deadline.ts'

/** Two clocks of one machine, and a program that stands still for so long after each reading. */
function clocksOf(stoppedMs: number) {
  let passedMs = 0
  const reading = (startMs: number) => () => {
    const shown = startMs + passedMs
    passedMs += stoppedMs
    return shown
  }
  return { monotonicMs: reading(1_000), steadyMs: reading(61_000) }
}

describe('[MANY-02] the deadline that the fence is told', () => {
  it('is the moment of the lease by its own clock', () => {
    expect(monotonicDeadline(66_000, clocksOf(0))).toBe(6_000)
  })

  it('is never later than the lease, also where the program is stopped while it reads the clocks', () => {
    expect(monotonicDeadline(66_000, clocksOf(3_000))).toBeLessThanOrEqual(6_000)
  })
})
