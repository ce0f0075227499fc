import type { Readable } from 'node:stream'
import { type LoopTurn, programTurn } from '../loop-turn.ts'

/**
 * Node reads up to 2 MB of a connection in one turn of the event loop, and pg makes rows of them there and then. Here, once that has kept a
 * turn busy for long, the connection goes on in the next one.
 */
export function readInTurns(connection: Readable, turn: Pick<LoopTurn, 'begin' | 'hasRoom'> = programTurn): void {
  connection.prependListener('data', () => turn.begin())
  connection.on('data', () => {
    if (turn.hasRoom()) return
    connection.pause()
    setImmediate(() => connection.resume())
  })
}
