import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { GENERAL_TEXTS } from '@siarin/contracts/texts'
import { rawAnswer } from './raw-answer.ts'

interface BoundedServerOptions {
  readonly headersTimeout: number
  readonly connectionsCheckingInterval: number
  readonly keepAliveTimeout: number
}

/**
 * Requests of one connection that have not been answered yet. Browsers and proxies send the next one after the answer; whoever sends a
 * thousand at once has all of them made ready and kept in memory, since Node hands them on as quickly as it can read them.
 */
const MOST_UNANSWERED = 8

export function createBoundedServer(options: BoundedServerOptions, handle: RequestListener): Server {
  const unanswered = new WeakMap<Socket, number>()
  const server = createServer(options, (request, response) => {
    const { socket } = request
    // More of what was read before the connection was cut.
    if (socket.destroyed) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > MOST_UNANSWERED) {
      socket.destroy()
      return
    }
    // A body in parts of one byte costs ten thousand steps for each 64 kB, before anybody knows whose it is.
    if (request.headers['transfer-encoding'] !== undefined) {
      request.on('error', () => {})
      socket.write(rawAnswer(411, { code: 'invalid_input', message: GENERAL_TEXTS.id.lengthNeeded }))
      // The answer is with the kernel; of the body not a byte more is read or kept.
      request.destroy()
      return
    }
    unanswered.set(socket, count)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    handle(request, response)
  })
  return server
}
