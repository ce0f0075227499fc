import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { createLoopTurn } from '../platform/loop-turn.ts'
import { onEachPart } from '../platform/message-parts.ts'
import { createSmallSteps, type NextStep } from '../platform/small-steps.ts'
import { addressKey } from './address-key.ts'

/** Forty of the smallest requests. The parser stops nowhere within what it is given, also where the connection has been cut. */
const PIECE_BYTES = 1_024

type Feed = (part: Buffer) => void

const BEGIN_BYTES = 8
/** What the parser of a connection was given first since its last request. */
const begins = new WeakMap<Socket, string>()
/** How the request begins that the parser of this connection is at: an error of the parser names its last piece alone. */
export const beginOf = (socket: Socket): string => begins.get(socket) ?? ''

/** Node sets it while more answers wait on a connection than it wants to keep, and takes nothing in meanwhile. */
type Fed = Socket & { readonly _paused?: boolean }

/**
 * Node gives the parser of each connection all that has come, up to 64 kB, and does so for every connection in the same turn of the event
 * loop. That is thousands of requests or parts of a body in one go, from anybody, and nothing else happens meanwhile. Here the parsers get
 * small pieces. Once a turn has lasted too long, the other connections go on in the next ones, and the addresses take turns.
 */
export function feedInTurns(server: Server): void {
  const turn = createLoopTurn()
  const steps = createSmallSteps(turn)
  const bodies = new WeakMap<Socket, Body>()
  server.prependListener('request', (request: IncomingMessage) => {
    begins.delete(request.socket)
    const body = plainBody(request)
    if (body) bodies.set(request.socket, body)
    else bodies.delete(request.socket)
  })
  server.on('connection', (socket: Fed) => {
    // These two are the parser's, which Node has just added.
    const feed = takeOver(socket, 'data') as Feed
    const end = takeOver(socket, 'end') as () => void
    const held: Buffer[] = []
    let hasEnded = false
    let isWaiting = false
    const step = steps.of(addressKey(socket.remoteAddress ?? ''))

    function feedAll(): void {
      turn.begin()
      for (let part = held.shift(); part; part = held.shift()) {
        const rest = feedPieces(socket, part, { feed, bodyLeft: () => bodies.get(socket)?.left() ?? 0 })
        if (!rest) continue
        held.unshift(rest)
        break
      }
      if (held.length === 0 && hasEnded) end()
    }

    function feedOrWait(): void {
      if (turn.hasRoom()) feedAll()
      if (held.length > 0 && !isWaiting && !socket.destroyed) void wait(step)
    }

    async function wait(next: NextStep): Promise<void> {
      isWaiting = true
      socket.pause()
      await next()
      isWaiting = false
      if (socket.destroyed) return
      feedAll()
      // Where answers have to leave first, Node resumes the connection, and what is held goes on.
      if (held.length === 0) socket.resume()
      else if (!socket._paused) void wait(next)
    }

    socket.on('data', (part: Buffer) => {
      held.push(part)
      if (!isWaiting) feedOrWait()
    })
    socket.on('end', () => {
      hasEnded = true
      if (held.length === 0) end()
    })
    socket.on('resume', () => {
      if (held.length > 0 && !isWaiting) feedOrWait()
    })
  })
}

function takeOver(socket: Socket, event: 'data' | 'end'): unknown {
  const listener = socket.listeners(event).at(-1) as (...args: unknown[]) => void
  socket.removeListener(event, listener)
  return listener
}

interface Pieces {
  readonly feed: Feed
  /** What is certain to be nothing but the body of one request goes as it is. */
  readonly bodyLeft: () => number
}

/** Returns what Node does not take yet. */
function feedPieces(socket: Fed, part: Buffer, { feed, bodyLeft }: Pieces): Buffer | null {
  let at = 0
  while (at < part.length) {
    if (socket.destroyed) return null
    if (socket._paused) return part.subarray(at)
    const end = Math.min(part.length, at + Math.max(PIECE_BYTES, bodyLeft()))
    if (!begins.has(socket)) begins.set(socket, part.toString('latin1', at, at + BEGIN_BYTES))
    feed(part.subarray(at, end))
    at = end
  }
  return null
}

interface Body {
  left(): number
}

/** Tells how much has not come yet of a body whose length is known. */
function plainBody(request: IncomingMessage): Body | null {
  const length = Number(request.headers['content-length'] ?? 0)
  if (!(length > PIECE_BYTES) || request.headers['transfer-encoding'] !== undefined) return null
  let arrived = 0
  onEachPart(request, (bytes) => {
    arrived += bytes
  })
  return { left: () => length - arrived }
}
