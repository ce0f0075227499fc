import { createFairTurns } from './fair-turns.ts'
import { createSlowShare } from './slow-share.ts'

interface TurnsAside {
  readonly atOnce: number
  /** One that takes longer leaves its turn to others and goes on beside them, of which so many may. */
  readonly slowMs: number
  readonly mostSlow: number
  readonly mostWaiting: number
  readonly mostWaitingEach: number
}

/**
 * One work of each owner at a time, and the owners in turn, as in fair turns. Works that hang hold up nobody else: they give the turn to the
 * next owner, but not to another work of their own.
 */
export function createTurnsAside({ atOnce, slowMs, mostSlow, mostWaiting, mostWaitingEach }: TurnsAside) {
  const ofOwner = createFairTurns({ atOnce: Infinity, mostWaiting, mostWaitingEach })
  const inTurn = createFairTurns({ atOnce, mostWaiting, mostWaitingEach: 1 })
  const places = createSlowShare(atOnce, { most: mostSlow })

  /** Ends when the work is over, or goes on beside the others. */
  function untilAside<T>(work: () => Promise<T>): Promise<{ readonly result: Promise<T> }> {
    return new Promise((resolve) => {
      const leave = (): void => resolve({ result })
      const { moveToSlow, giveBack } = places.take(leave)
      const timer = setTimeout(moveToSlow, slowMs)
      function end(): void {
        clearTimeout(timer)
        giveBack()
        leave()
      }
      const result = (async () => work())()
      result.then(end, end)
    })
  }

  return <T>(owner: string, work: () => Promise<T>): Promise<T> =>
    ofOwner(owner, async () => (await inTurn(owner, () => untilAside(work))).result)
}
