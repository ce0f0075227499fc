import type { Log } from './log.ts'

interface Repeated {
  readonly firstAfterMs: number
  readonly everyMs: number
  readonly log: Log
  /** Said when a round fails; the next one comes all the same. */
  readonly complaint: string
  readonly work: () => Promise<void>
}

const STEP_MS = 1_000

/**
 * A wait of about so long, until a whole second since the program's start. All that is looked for once a second or less often is looked for at the
 * same moment: a program at rest wakes once for all of it, and asks once whether another program has written.
 */
export function untilStep(waitMs: number): number {
  if (waitMs < STEP_MS) return waitMs
  const now = Math.round(performance.now())
  return Math.round((now + waitMs) / STEP_MS) * STEP_MS - now
}

/** As `setInterval` does, in step with the others. Returns what ends it. */
export function inStep(everyMs: number, look: () => void): () => void {
  let timer = setTimeout(next, untilStep(everyMs))
  function next(): void {
    timer = setTimeout(next, untilStep(everyMs))
    look()
  }
  return () => clearTimeout(timer)
}

/** Does something again and again, one round at a time. The answer ends it and waits for the round that runs. */
export function repeat({ firstAfterMs, everyMs, log, complaint, work }: Repeated): () => Promise<void> {
  let stopped = false
  let round = Promise.resolve()
  let timer = setTimeout(run, firstAfterMs)
  function run(): void {
    round = work()
      .catch((error) => log.warn({ err: error }, complaint))
      .then(() => {
        if (!stopped) timer = setTimeout(run, untilStep(everyMs))
      })
  }
  return async () => {
    stopped = true
    clearTimeout(timer)
    await round
  }
}
