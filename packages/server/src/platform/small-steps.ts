import { loopShares } from './loop-shares.ts'
import { createLoopTurn, type LoopTurn, programTurn } from './loop-turn.ts'
import { presentOwner } from './on-behalf-of.ts'

/** Waits until it is this work's turn for its next step. Rejects with the signal's reason once nobody wants the work any more. */
export type NextStep = (signal?: AbortSignal) => Promise<void>

export type SmallSteps = ReturnType<typeof createSmallSteps>

/**
 * For work that is long in all: it is done in steps of a few milliseconds, each of which awaits its turn. In each turn of the event loop run as
 * many as it has room for, at least one, however many works there are, so that requests are served in between; the owners take turns.
 */
export function createSmallSteps(turn: Pick<LoopTurn, 'begin' | 'hasRoom'> = createLoopTurn()) {
  /** In the order in which the owners are next. */
  const waiting = new Map<string, (() => void)[]>()
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(runOne)
  }

  function runOne(): void {
    isScheduled = false
    turn.begin()
    for (const [owner, works] of waiting) {
      const next = works.shift()
      // Behind the other owners.
      waiting.delete(owner)
      loopShares.goOnFor(owner || null)
      if (works.length > 0) waiting.set(owner, works)
      next?.()
      break
    }
    if (waiting.size === 0) return
    isScheduled = true
    afterThis(() => (turn.hasRoom() ? runOne() : setImmediate(runOne)))
  }

  return {
    of:
      (owner: string): NextStep =>
      async (signal) => {
        signal?.throwIfAborted()
        await new Promise<void>((resolve) => {
          const own = waiting.get(owner)
          if (own) own.push(resolve)
          else waiting.set(owner, [resolve])
          schedule()
        })
        signal?.throwIfAborted()
      },
  }
}

/** Once all is done that follows in this turn of the event loop: a tick comes before promises, unless it is made within one. */
export const afterThis = (next: () => void): void => queueMicrotask(() => process.nextTick(next))

/** For all works of the program: those that share them are counted together. */
export const programSteps = createSmallSteps(programTurn)

/** The next step of what is done for the present owner. */
export const nextStep: NextStep = (signal) => programSteps.of(presentOwner() ?? '')(signal)

/** So many of them in each step. */
export async function mapInSteps<T, R>(items: readonly T[], perStep: number, work: (item: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % perStep === 0) await nextStep()
    done.push(work(item))
  }
  return done
}
