import { setImmediate as nextTurn } from 'node:timers/promises'

export type Rounds = ReturnType<typeof createRounds>

/** So many looks in one go take a few milliseconds; then whoever else waits for the program has his turn. */
const LOOKS_IN_ONE_GO = 50

/**
 * Goes round to every broadcast at the same moment. A timer for each would wake the program hundreds of times a second, and
 * waking costs more than the look itself.
 */
export function createRounds(everyMs: number) {
  const looks = new Set<() => void>()
  let going = false
  let timer: NodeJS.Timeout | undefined

  async function goRound(): Promise<void> {
    if (going) return
    going = true
    let inOneGo = 0
    for (const look of looks) {
      look()
      if (++inOneGo % LOOKS_IN_ONE_GO === 0) await nextTurn()
    }
    going = false
  }

  return {
    start(): void {
      timer = setInterval(() => void goRound(), everyMs)
    },
    /** `look` must not throw. Answers how to leave the round again. */
    join(look: () => void): () => void {
      looks.add(look)
      return () => looks.delete(look)
    },
    stop: () => clearInterval(timer),
  }
}
