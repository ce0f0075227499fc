import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../errors.ts'
import type { Timings } from '../platform/timings.ts'
import { textsFor } from './error-answers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is a file: it may take as long as it takes, so long as it moves. */
    upload?: boolean
  }
}

/** In each window: a line that brings less than this never ends an upload. */
const LEAST_UPLOAD_BYTES = 10_000
const SWEEPS_PER_WINDOW = 6
/** For the answer to leave. */
const LAST_WORDS_MS = 2_000

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The body of a GET means nothing: nobody reads it, and its answer may begin before it has come. */
export const readsBody = ({ method }: IncomingMessage): boolean => method !== 'GET' && method !== 'HEAD'

/**
 * A body that comes slowly, or never, would hold its connection for ever. Node's own time-out counts for every request of a server, and an
 * upload may take hours: so each request is timed here, and an upload has to move instead.
 */
export function limitSlowBodies(app: FastifyInstance, { bodyMs, uploadWindowMs }: Timings['requests']): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw } = request
    if (!hasBody(raw)) return done(null, payload)
    const end = request.routeOptions.config.upload
      ? watchMoving(raw, uploadWindowMs)
      : cutAfter(raw, bodyMs, () => {
          // Nobody reads the body: its sender has had the answer, or will have it without us.
          if (reply.raw.headersSent || raw.listenerCount('error') === 0) return raw.destroy()
          raw.emit('error', new DomainError('request_timeout', textsFor(request.url).tooSlow))
          setTimeout(() => raw.destroy(), LAST_WORDS_MS).unref()
        })
    raw.once('close', end)
    done(null, payload)
  })
}

function cutAfter(raw: IncomingMessage, afterMs: number, cut: () => void): () => void {
  const timer = setTimeout(() => {
    if (!raw.complete) cut()
  }, afterMs)
  return () => clearTimeout(timer)
}

/** The connection goes as if it had broken, which every upload can bear: a resumable one keeps what has come. */
function watchMoving(raw: IncomingMessage, windowMs: number): () => void {
  const arrived: number[] = []
  const timer = setInterval(() => {
    if (raw.complete) return clearInterval(timer)
    // What has come waits for our disk: that is not the sender's fault.
    if (raw.readableLength > 0) arrived.length = 0
    arrived.push(raw.socket.bytesRead)
    if (arrived.length <= SWEEPS_PER_WINDOW) return
    const before = arrived.shift() ?? 0
    if (raw.socket.bytesRead - before < LEAST_UPLOAD_BYTES) raw.destroy()
  }, windowMs / SWEEPS_PER_WINDOW)
  return () => clearInterval(timer)
}
