import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { addressKey } from './address-key.ts'
import { textsFor } from './error-answers.ts'
import { readsBody } from './request-pace.ts'

/** Nearly every call is smaller, so that it is let in whatever others send. */
const SMALL_BYTES = 16 * 1024
/**
 * How much of larger bodies is kept at once. Each caller has what it announces; all together have what has come, for announcing costs nothing.
 * Where that is too much, the caller that holds most loses a body, also if somebody else has sent the last piece.
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
      const { raw } = request
      const body: Body = {
        announced: bytes,
        come: 0,
        // The parser listens before the first piece is read, and until it has the last one.
        isComing: () => raw.listenerCount('error') > 0,
        cut: () => void raw.emit('error', busy(request)),
      }
      const place = account ? known.enter(account, body) : strangers.enter(addressKey(request.ip), body)
      if (!place) {
        done(busy(request))
        return
      }
      reply.raw.once('close', place.leave)
      if (reply.raw.closed) place.leave()
      raw.on('data', (piece: Buffer) => place.noteCome(piece.length))
      // Nothing that comes after this waits for anything: no piece is read before the parser listens.
      done(null, payload)
    }
    accountOf(request).then(enter, done)
  })
}

function busy(request: FastifyRequest): DomainError {
  const retryAfterSeconds = COME_BACK_AFTER_SECONDS
  return new DomainError('server_busy', textsFor(request.url).serverBusy, { retryAfterSeconds })
}

interface Body {
  /** As many bytes are kept of it at most. */
  readonly announced: number
  come: number
  /** False: it is here, or nobody reads it any more. To end it would free nothing. */
  readonly isComing: () => boolean
  readonly cut: () => void
}

interface Owner {
  readonly bodies: Set<Body>
  announced: number
  come: number
}

export function createRoom({ eachBytes, inAllBytes }: { readonly eachBytes: number; readonly inAllBytes: number }) {
  const owners = new Map<string, Owner>()
  let comeInAll = 0

  function leave(name: string, body: Body): void {
    const owner = owners.get(name)
    if (!owner?.bodies.delete(body)) return
    owner.announced -= body.announced
    owner.come -= body.come
    comeInAll -= body.come
    if (owner.bodies.size === 0) owners.delete(name)
  }

  /** The largest that comes, of the owner that holds most. Owners with no more than an equal part lose nothing, whatever is held by others. */
  function bodyToCut(): readonly [string, Body] | null {
    let most = inAllBytes / owners.size
    let found: readonly [string, Body] | null = null
    for (const [name, { bodies, come }] of owners) {
      if (come <= most) continue
      const [largest] = [...bodies].filter((body) => body.isComing()).sort((a, b) => b.come - a.come)
      if (!largest) continue
      most = come
      found = [name, largest]
    }
    return found
  }

  function makeRoom(): void {
    while (comeInAll > inAllBytes) {
      const found = bodyToCut()
      if (!found) return
      leave(...found)
      found[1].cut()
    }
  }

  return {
    /** Null: there is none. */
    enter(name: string, body: Body) {
      const owner = owners.get(name) ?? { bodies: new Set<Body>(), announced: 0, come: 0 }
      // What is here can no longer be cut, so that those with an equal part may come beyond what there is for all.
      if (owner.announced + body.announced > eachBytes || comeInAll >= 2 * inAllBytes) return null
      owners.set(name, owner)
      owner.bodies.add(body)
      owner.announced += body.announced
      return {
        noteCome(more: number): void {
          if (!owner.bodies.has(body)) return
          // What comes beyond that is kept by nobody.
          const kept = Math.min(more, body.announced - body.come)
          body.come += kept
          owner.come += kept
          comeInAll += kept
          makeRoom()
        },
        leave: (): void => leave(name, body),
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
