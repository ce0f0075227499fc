import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { refuseCrumbs } from '../message-parts.ts'
import { endAtSecondHandshake } from './strangers-tls.ts'

const MOST_INTERIM = 10

/** Servers send parts of kilobytes; some send each packet of MPEG-TS (188 bytes), or each line of a playlist, as one. */
const CRUMBS = { count: 500, bytes: 128 }

/** Some seven hundred of the smallest parts. */
const PIECE_BYTES = 4_096

/**
 * No server keeps us busy with its answer; `giveUp` destroys the call, whose `close` comes in any case. 'Go on', 'wait', 'early hints': some may
 * come before an answer, but no flood of them, and no switch to another protocol. The body of the answer comes in parts that are worth something.
 */
export function boundAnswer(call: ClientRequest, giveUp: () => void): void {
  let interim = 0
  call.on('information', () => {
    interim += 1
    if (interim === MOST_INTERIM) giveUp()
  })
  call.once('upgrade', (_answer, socket) => {
    // Node lets go of the connection here: an error on it that nobody listens for would end the program.
    socket.on('error', () => {})
    socket.destroy()
    giveUp()
  })
  call.once('socket', (socket) => {
    if (!call.reusedSocket) endAtSecondHandshake(socket)
    readInPieces(socket)
  })
  call.once('response', (answer) => {
    refuseCrumbs(answer, CRUMBS, giveUp)
    if (answer.headers['transfer-encoding'] === undefined) readAsItComes(answer.socket)
  })
}

/** The parser stops nowhere within what it is given, which is up to 64 kB, also where the connection has been cut. */
function readInPieces(socket: Socket): void {
  const push = Readable.prototype.push.bind(socket)
  socket.push = (read: Buffer | null): boolean => {
    let takesMore = push(read?.subarray(0, PIECE_BYTES) ?? null)
    for (let at = PIECE_BYTES; read && at < read.length && !socket.destroyed; at += PIECE_BYTES) {
      takesMore = push(read.subarray(at, at + PIECE_BYTES))
    }
    return takesMore
  }
}

function readAsItComes(socket: Socket): void {
  socket.push = Readable.prototype.push
}
