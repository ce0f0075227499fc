import { type Exit, whenGone } from '../detached.ts'
import type { ProcessId } from './messages.ts'

/** The end of one that nobody follows yet is kept for so long: the news may overtake the answer to its start. */
const UNKNOWN_EXIT_MS = 10_000

export const keyOf = ({ pid, birth }: ProcessId): string => `${pid} ${birth}`

/** How the processes of a warden have ended, for those who follow them. */
export function createKnownExits() {
  const exits = new Map<string, ProcessId & PromiseWithResolvers<Exit>>()

  function exitOf({ pid, birth }: ProcessId): PromiseWithResolvers<Exit> {
    const key = keyOf({ pid, birth })
    const known = exits.get(key) ?? { pid, birth, ...Promise.withResolvers<Exit>() }
    exits.set(key, known)
    return known
  }

  return {
    /** Until it has ended. */
    follow(process: ProcessId): Promise<Exit> {
      const { promise } = exitOf(process)
      promise.then(() => exits.delete(keyOf(process)))
      return promise
    },
    tell(process: ProcessId, exit: Exit): void {
      exitOf(process).resolve(exit)
      setTimeout(() => exits.delete(keyOf(process)), UNKNOWN_EXIT_MS).unref()
    },
    forget: (process: ProcessId): void => void exits.delete(keyOf(process)),
    /** The warden is gone: its processes end with it, and nobody tells how. */
    watchAll(): void {
      for (const { pid, birth, resolve } of exits.values()) whenGone(pid, birth, resolve)
    },
  }
}
