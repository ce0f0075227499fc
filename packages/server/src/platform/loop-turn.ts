/** Once work of one kind has kept a turn of the event loop busy for so long, the rest of it waits for others. */
export const TURN_MS = 2

let number = 0
let isAsked = false

/**
 * Which turn of the event loop this is: from one round of immediates until the next. Ask before you plan something for the next turn, so that
 * the number has changed by then: immediates come in the order in which they were planned.
 */
export function turnNumber(): number {
  if (!isAsked) {
    isAsked = true
    setImmediate(() => {
      isAsked = false
      number++
    })
  }
  return number
}

export type LoopTurn = ReturnType<typeof createLoopTurn>

/** Tells how long this turn of the event loop has gone on since work of this kind began in it. */
export function createLoopTurn(now: () => number = () => performance.now()) {
  let turn = -1
  let begunMs = 0
  return {
    /** Returns what it was given, for what goes on in this turn. */
    begin<T>(given?: T): T | undefined {
      if (turn !== turnNumber()) begunMs = now()
      turn = turnNumber()
      return given
    },
    hasRoom: (mostMs = TURN_MS): boolean => turn !== turnNumber() || now() - begunMs < mostMs,
  }
}

/** Shared by all kinds of long work that callers ask for: each by itself would be short, and all of them in one turn are not. */
export const programTurn = createLoopTurn()
