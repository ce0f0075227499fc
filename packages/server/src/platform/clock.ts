import { uptime } from 'node:os'

/** Time is a dependency, so that tests can move it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Time that nobody sets. On Linux it counts on while the machine sleeps, as others go on meanwhile; `performance.now()` would stand still. The same in every thread. */
export const steadyMs: () => number =
  process.platform === 'linux' ? () => uptime() * 1000 : () => Number(process.hrtime.bigint()) / 1e6

/** Less is drift, and mended by the next look. */
export const SMALLEST_STEP_MS = 2_000

/** Tells by how much somebody has set the clock since it was last asked; the machine's steady time is not set by anybody. */
export function watchForSteps(clock: Clock, steady: () => number = () => performance.now()): () => number {
  let offset = clock.now() - steady()
  return () => {
    // Whole milliseconds: what moves with the clock is kept in columns that hold nothing else.
    const byMs = Math.round(clock.now() - steady() - offset)
    if (Math.abs(byMs) < SMALLEST_STEP_MS) return 0
    offset += byMs
    return byMs
  }
}
