import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { onEachPart, refuseCrumbs } from '../message-parts.ts'
import { endAtSecondHandshake } from './strangers-tls.ts'

const MOST_INTERIM = 10

/** Servers send parts of kilobytes; some send each packet of MPEG-TS (188 bytes), or each line of a playlist, as one. */
const CRUMBS = { count: 500, bytes: 128 }

/** Some seven hundred of the smallest parts. */
const PIECE_BYTES = 4_096

/** Between two parts of a body, or before the first. The parser takes a size of a part that has no end (zeros), and 16 kB of words beside each. */
const MOST_BETWEEN_BYTES = 64 * 1024

/**
 * No server keeps us busy with its answer; `giveUp` destroys the call, whose `close` comes in any case. 'Go on', 'wait', 'early hints': some may
 * come before an answer, but no flood of them, and no switch to another protocol. The body of the answer comes in parts that are worth something.
 * `seeOther` is told of the bytes that come and belong to no body.
 */
export function boundAnswer(call: ClientRequest, giveUp: () => void, seeOther?: (bytes: number) => void): void {
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
  /** How much of the piece that the parser has belongs to a body. */
  let bodyBytes = 0
  let betweenBytes = 0
  call.once('socket', (socket) => {
    if (!call.reusedSocket) endAtSecondHandshake(socket)
    readInPieces(socket, (bytes) => {
      seeOther?.(bytes - bodyBytes)
      betweenBytes = bodyBytes > 0 ? 0 : betweenBytes + bytes
      bodyBytes = 0
      if (betweenBytes > MOST_BETWEEN_BYTES) giveUp()
    })
  })
  call.once('response', (answer) => {
    onEachPart(answer, (bytes) => {
      bodyBytes += bytes
    })
    refuseCrumbs(answer, CRUMBS, giveUp)
    if (answer.headers['transfer-encoding'] === undefined) readAsItComes(answer.socket)
  })
}

/** The parser stops nowhere within what it is given, which is up to 64 kB, also where the connection has been cut. `seePiece` follows each piece. */
function readInPieces(socket: Socket, seePiece: (bytes: number) => void): void {
  const push = Readable.prototype.push.bind(socket)
  const pushPiece = (piece: Buffer | null): boolean => {
    const takesMore = push(piece)
    if (piece) seePiece(piece.length)
    return takesMore
  }
  socket.push = (read: Buffer | null): boolean => {
    let takesMore = pushPiece(read?.subarray(0, PIECE_BYTES) ?? null)
    for (let at = PIECE_BYTES; read && at < read.length && !socket.destroyed; at += PIECE_BYTES) {
      takesMore = pushPiece(read.subarray(at, at + PIECE_BYTES))
    }
    return takesMore
  }
}

function readAsItComes(socket: Socket): void {
  socket.push = Readable.prototype.push
}
