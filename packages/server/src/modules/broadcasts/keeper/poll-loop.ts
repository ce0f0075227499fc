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

  return {
    start(): void {
      timer = setInterval(() => void pollAll(), everyMs)
    },
    /** `poll` must not throw. Answers how to leave the loop again. */
    join(poll: () => void): () => void {
      polls.add(poll)
      return () => polls.delete(poll)
    },
    stop: () => clearInterval(timer),
  }
}
