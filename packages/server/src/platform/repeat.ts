import type { Log } from './log.ts'

interface Repeated {
  readonly firstAfterMs: number
  readonly everyMs: number
  readonly log: Log
  /** Said when a round fails; the next one comes all the same. */
  readonly complaint: string
  readonly work: () => Promise<void>
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
        if (!stopped) timer = setTimeout(run, everyMs)
      })
  }
  return async () => {
    stopped = true
    clearTimeout(timer)
    await round
  }
}
