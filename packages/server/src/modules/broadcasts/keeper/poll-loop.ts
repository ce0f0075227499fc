import { setImmediate as nextTurn } from 'node:timers/promises'

export type PollLoop = ReturnType<typeof createPollLoop>

/** So many polls in one go take a few milliseconds; then everything else that waits for the program has its turn. */
const POLLS_IN_ONE_GO = 50

/**
 * Polls every broadcast at the same moment. A timer for each would wake the program hundreds of times a second, and
 * waking costs more than the poll itself.
 */
export function createPollLoop(everyMs: number) {
  const polls = new Set<() => void>()
  let going = false
  let isRunning = false
  let timer: NodeJS.Timeout | undefined

  async function pollAll(): Promise<void> {
    if (going) return
    going = true
    let inOneGo = 0
    for (const poll of polls) {
      poll()
      if (++inOneGo % POLLS_IN_ONE_GO === 0) await nextTurn()
    }
    going = false
  }

  function rest(): void {
    clearInterval(timer)
    timer = undefined
  }

  /** Without anybody to poll it does not wake the program at all. */
  function goOn(): void {
    if (isRunning && polls.size > 0) timer ??= setInterval(() => void pollAll(), everyMs)
  }

  return {
    start(): void {
      isRunning = true
      goOn()
    },
    /** `poll` must not throw. Answers how to leave the loop again. */
    join(poll: () => void): () => void {
      polls.add(poll)
      goOn()
      return () => {
        polls.delete(poll)
        if (polls.size === 0) rest()
      }
    },
    stop(): void {
      isRunning = false
      rest()
    },
  }
}
