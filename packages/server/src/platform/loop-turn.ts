/** Once work of one kind has kept a turn of the event loop busy for so long, the rest of it waits for others. */
export const TURN_MS = 2

export type LoopTurn = ReturnType<typeof createLoopTurn>

/** Tells how long this turn of the event loop has gone on since work of this kind began in it. */
export function createLoopTurn() {
  let begunMs: number | null = null
  return {
    /** Returns what it was given, for what goes on in this turn. */
    begin<T>(given?: T): T | undefined {
      if (begunMs === null) {
        begunMs = performance.now()
        setImmediate(() => {
          begunMs = null
        })
      }
      return given
    },
    hasRoom: (): boolean => begunMs === null || performance.now() - begunMs < TURN_MS,
  }
}
