import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { addressKey } from './address-key.ts'
import { textsFor } from './error-answers.ts'
import { readsBody } from './request-pace.ts'

/** Nearly every call is smaller, so that it is let in whatever others send. */
const SMALL_BYTES = 16 * 1024
/**
 * How much of larger bodies is kept at once. Each caller has what it announces; all together have what has come, for announcing costs nothing.
 * Callers who are not known by the headers share a room of their own: strangers take nothing from those who are known.
 */
const ROOM = {
  known: { eachBytes: 4 * 1024 * 1024, inAllBytes: 64 * 1024 * 1024 },
  strangers: { eachBytes: 8 * 1024 * 1024, inAllBytes: 32 * 1024 * 1024 },
}
const COME_BACK_AFTER_SECONDS = 5

type AccountOf = (request: FastifyRequest) => Promise<string | null>

/**
 * A body is kept whole until its call is answered, and its sender decides how long it takes to come. Thousands of connections that never send
 * the last byte would fill the memory. An upload goes to the disk as it comes, and has bounds of its own. `accountOf`: whose key or session
 * stands in the headers; null: nobody's.
 */
export function limitBodiesAtOnce(app: FastifyInstance, accountOf: AccountOf): void {
  const known = createRoom(ROOM.known)
  const strangers = createRoom(ROOM.strangers)

  app.addHook('preParsing', (request, reply, payload, done) => {
    const isKept = readsBody(request.raw) && !request.routeOptions.config.upload
    const bytes = isKept ? bytesOf(request) : 0
    if (bytes <= SMALL_BYTES) return done(null, payload)
    const enter = (account: string | null): void => {
      const place = account ? known.enter(account, bytes) : strangers.enter(addressKey(request.ip), bytes)
      if (!place) {
        done(busy(request))
        return
      }
      reply.raw.once('close', place.leave)
      if (reply.raw.closed) place.leave()
      const { raw } = request
      // The parser listens before the first piece is read: nothing that comes after this waits for anything.
      raw.on('data', (piece: Buffer) => {
        if (place.noteCome(piece.length) || raw.listenerCount('error') === 0) return
        raw.emit('error', busy(request))
      })
      done(null, payload)
    }
    accountOf(request).then(enter, done)
  })
}

function busy(request: FastifyRequest): DomainError {
  const retryAfterSeconds = COME_BACK_AFTER_SECONDS
  return new DomainError('server_busy', textsFor(request.url).serverBusy, { retryAfterSeconds })
}

function createRoom({ eachBytes, inAllBytes }: { readonly eachBytes: number; readonly inAllBytes: number }) {
  const announced = new Map<string, number>()
  let comeInAll = 0

  function add(owner: string, bytes: number): void {
    const own = (announced.get(owner) ?? 0) + bytes
    if (own > 0) announced.set(owner, own)
    else announced.delete(owner)
  }

  return {
    /** Null: there is none. */
    enter(owner: string, bytes: number) {
      if ((announced.get(owner) ?? 0) + bytes > eachBytes || comeInAll >= inAllBytes) return null
      add(owner, bytes)
      let come = 0
      let isHere = true
      return {
        /** False: it is too much with that of all others. */
        noteCome(more: number): boolean {
          if (!isHere) return true
          // What comes beyond that is kept by nobody.
          const kept = Math.min(more, bytes - come)
          come += kept
          comeInAll += kept
          return comeInAll <= inAllBytes
        },
        leave(): void {
          if (!isHere) return
          isHere = false
          add(owner, -bytes)
          comeInAll -= come
        },
      }
    },
  }
}

/** As much as it says, and where it says nothing, as much as it may be. */
function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  const most = routeOptions.bodyLimit ?? 0
  if (headers['transfer-encoding'] !== undefined) return most
  return Math.min(most, Number(headers['content-length'] ?? 0))
}
