import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { addressKey } from './address-key.ts'
import { textsFor } from './error-answers.ts'

/** Nearly every call is smaller, so that it is let in whatever others send. */
const SMALL_BYTES = 16 * 1024
/** How much is kept at once of bodies that are larger, of one address and of all. */
const ROOM = { eachBytes: 8 * 1024 * 1024, inAllBytes: 96 * 1024 * 1024 }
const COME_BACK_AFTER_SECONDS = 5

/**
 * A body is kept whole until its call is answered, and its sender decides how long it takes to come. Thousands of connections that never send
 * the last byte would fill the memory. An upload goes to the disk as it comes, and has bounds of its own.
 */
export function limitBodiesAtOnce(app: FastifyInstance): void {
  const held = new Map<string, number>()
  let heldInAll = 0

  function add(owner: string, bytes: number): void {
    heldInAll += bytes
    const own = (held.get(owner) ?? 0) + bytes
    if (own > 0) held.set(owner, own)
    else held.delete(owner)
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = request.routeOptions.config.upload ? 0 : bytesOf(request)
    if (bytes <= SMALL_BYTES) return done(null, payload)
    const owner = addressKey(request.ip)
    if ((held.get(owner) ?? 0) + bytes > ROOM.eachBytes || heldInAll + bytes > ROOM.inAllBytes) {
      const retryAfterSeconds = COME_BACK_AFTER_SECONDS
      return done(new DomainError('server_busy', textsFor(request.url).serverBusy, { retryAfterSeconds }))
    }
    add(owner, bytes)
    reply.raw.once('close', () => add(owner, -bytes))
    done(null, payload)
  })
}

/** As much as it says, and where it says nothing, as much as it may be. */
function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  const most = routeOptions.bodyLimit ?? 0
  if (headers['transfer-encoding'] !== undefined) return most
  return Math.min(most, Number(headers['content-length'] ?? 0))
}
