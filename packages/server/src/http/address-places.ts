import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { createCallPlaces, type Leave } from '../platform/call-places.ts'
import { TURN_MS } from '../platform/loop-turn.ts'
import { onBehalfOf } from '../platform/on-behalf-of.ts'
import { addressKey } from './address-key.ts'
import { textsFor } from './error-answers.ts'
import { isTooIntricate, UnreadJson } from './json-bodies.ts'
import { hasBody, readsBody } from './request-pace.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What watches over the program asks it, and would end a program that does not answer. */
    needsNoPlace?: boolean
  }
  interface FastifyRequest {
    /** Null: it holds no place of its address. */
    leaveAddressPlace: Leave | null
  }
}

/** Whole campuses and mobile networks share one address. To find out who calls takes a moment, so that many may begin in one turn. */
const OF_ADDRESSES = { each: 24, waitingEach: 240, inAll: 96, slowMs: 1_000, turnMs: TURN_MS }
const COME_BACK_AFTER_SECONDS = 2

export const tooManyAtOnce = (request: FastifyRequest): DomainError =>
  new DomainError('rate_limited', textsFor(request.url).callsAtOnce, { retryAfterSeconds: COME_BACK_AFTER_SECONDS })

/**
 * Until it is known who calls, the places of the address count: a key that is wrong, an unknown path or one call too many cost work as well.
 * A place is held until the call gets one of its account's, or its answer leaves; not while its body comes in, which may take as long as its
 * sender likes.
 */
export function limitCallsOfAddresses(app: FastifyInstance): void {
  const places = createCallPlaces(OF_ADDRESSES)
  app.decorateRequest('leaveAddressPlace', null)
  app.server.on('connection', places.noteNews)

  /**
   * `done` is called once it has a place; never for a caller who has gone. Also where one is free it is not called at once: a call begins while its
   * connection is being read, and all that follows would keep the other connections from being read. Behind a proxy nothing tells whose those are.
   */
  function enter(request: FastifyRequest, { raw }: FastifyReply, done: (refusal?: DomainError) => void): void {
    const owner = addressKey(request.ip)
    const giveUp = places.wait(owner, (leave) => {
      raw.removeListener('close', gone)
      request.leaveAddressPlace = leave
      // Whatever made room for it is somebody else's.
      onBehalfOf(owner, done)
    })
    function gone(): void {
      giveUp?.()
    }
    if (giveUp) raw.once('close', gone)
    else done(tooManyAtOnce(request))
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.needsNoPlace) return done()
    reply.raw.once('close', () => leaveAddressPlace(request))
    enter(request, reply, done)
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request.raw) && readsBody(request.raw)) leaveAddressPlace(request)
    done(null, payload)
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    leaveAddressPlace(request)
    done(null, payload)
  })
  readJsonInTurn(app, enter)
}

type Enter = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: DomainError) => void) => void

/** Hundreds of bodies may be complete at the same moment, and each takes some milliseconds to read. */
function readJsonInTurn(app: FastifyInstance, enter: Enter): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text: string, done) =>
    done(null, new UnreadJson(text)),
  )
  app.addHook('preValidation', (request, reply, done) => {
    if (!(request.body instanceof UnreadJson)) return done()
    const { text } = request.body
    // One without any body still has its first place, and would have two.
    leaveAddressPlace(request)
    enter(request, reply, (refusal) => {
      if (refusal) return done(refusal)
      if (isTooIntricate(text)) return done(new DomainError('invalid_input', textsFor(request.url).badRequest))
      parse(request, text, (error, body) => {
        request.body = body
        done(error ?? undefined)
      })
    })
  })
}

export function leaveAddressPlace(request: FastifyRequest): void {
  request.leaveAddressPlace?.()
  request.leaveAddressPlace = null
}
