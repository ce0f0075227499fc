import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { refuseCrumbs } from '../platform/message-parts.ts'
import { feedInTurns } from './feed-in-turns.ts'

interface BoundedServerOptions {
  readonly headersTimeout: number
  readonly connectionsCheckingInterval: number
  readonly keepAliveTimeout: number
}

/**
 * Requests of one connection that have not been answered yet. Browsers and proxies send the next one after the answer; a client that sends
 * a thousand at once has all of them made ready and kept in memory, since Node hands them on as quickly as it can read them.
 */
const MOST_UNANSWERED = 8

/** Nobody who wants to send something sends it so. */
const CRUMBS = { count: 250, bytes: 32 }

export function createBoundedServer(options: BoundedServerOptions, handle: RequestListener): Server {
  const unanswered = new WeakMap<Socket, number>()
  /** Answers leave in the order of the requests: the next one begins when the one before it is done, so that a connection wants one thing at a time. */
  const last = new WeakMap<Socket, ServerResponse>()
  const server = createServer(options, (request, response) => {
    const { socket } = request
    // More of what was read before the connection was cut.
    if (socket.destroyed) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > MOST_UNANSWERED) {
      socket.destroy()
      return
    }
    unanswered.set(socket, count)
    if (request.headers['transfer-encoding'] !== undefined) refuseCrumbs(request, CRUMBS, () => request.destroy())
    const before = last.get(socket)
    last.set(socket, response)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    if (!before || before.closed) handle(request, response)
    else before.once('close', () => !socket.destroyed && handle(request, response))
  })
  feedInTurns(server)
  return server
}
