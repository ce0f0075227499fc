import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFairTurns } from '../fair-turns.ts'
import { isRunnable } from './detached.ts'

const LOOK_EVERY_MS = 5
/** Nor does one that goes on to want a core keep the others back. */
const LONGEST_MS = 250

/**
 * An ffmpeg wants a core for a tenth of a second before it does anything. Twenty that start at once, as for a broadcast with twenty targets,
 * would leave the program a tenth of the cores meanwhile, and everybody waits for it. So as many start at once as there are cores, the next
 * as soon as one of them no longer wants its core, and the owners take turns. One owner alone leaves a core to the program.
 */
export function startInTurns({ cores, isBusy } = { cores: availableParallelism(), isBusy: isRunnable }) {
  const inTurn = createFairTurns({
    atOnce: cores,
    each: Math.max(1, cores - 1),
    mostWaiting: Infinity,
    mostWaitingEach: Infinity,
  })
  return <T extends { readonly pid: number }>(owner: string, start: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      inTurn(owner, async () => {
        const child = await start()
        resolve(child)
        const latest = performance.now() + LONGEST_MS
        do await sleep(LOOK_EVERY_MS)
        while (isBusy(child.pid) && performance.now() < latest)
      }).catch(reject)
    })
}
