import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { type CallPlaces, createCallPlaces, type Leave } from '../platform/call-places.ts'
import { loopShares } from '../platform/loop-shares.ts'
import { programTurn, TURN_MS } from '../platform/loop-turn.ts'
import { keepOwner, presentOwner } from '../platform/on-behalf-of.ts'
import { nextStep } from '../platform/small-steps.ts'
import { leaveAddressPlace, tooManyAtOnce } from './address-places.ts'
import { hasBody } from './request-pace.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It ends something, or shows what there is to end. It has places of its own, and gets through whatever else its account asks for. */
    urgent?: boolean
    /** With `upload`: it has a place like any other call until its handler leaves that by `leavePlace`, before the file comes. */
    beginsUpload?: boolean
  }
  interface FastifyRequest {
    /** Null: it has not had a place. */
    leavePlace: Leave | null
  }
}

/** A page asks for some ten things at once, and a browser for six at a time. */
const OF_ACCOUNTS = { each: 6, waitingEach: 60, inAll: 24, slowMs: 1_000, turnMs: TURN_MS }
/** For how long the body of an answer holds the place of its call at most. */
const BODY_MS = 1_000
/** An account with ten broadcasts may stop all of them at once. A stop waits some seconds for its ffmpeg, so most of them are slow. */
const OF_URGENT = { ...OF_ACCOUNTS, each: 12, waitingEach: 24 }

/**
 * For the routes that are added to `app` afterwards: each account has few places for calls at once, whatever the call. A place is held until
 * the handler is done. The body of an answer may take hours, and holds it for a second; a feed holds none, nor does the file of an upload, which has
 * bounds of its own. A call of nobody in particular keeps the place of its address instead.
 */
export function limitCallsAtOnce(app: FastifyInstance): void {
  app.decorateRequest('leavePlace', null)
  const accounts = createCallPlaces(OF_ACCOUNTS)
  const urgent = createCallPlaces(OF_URGENT)
  app.server.on('connection', () => {
    for (const places of [accounts, urgent]) places.noteNews()
  })
  const placed = new WeakSet<RouteHandlerMethod>()

  /** Urgent calls have places for each session: a thief who takes all of the stolen one's does not keep the owner from ending it. */
  const placesFor = ({ routeOptions, sessionCaller }: FastifyRequest, userId: string): [CallPlaces, string] =>
    routeOptions.config.urgent ? [urgent, sessionCaller?.sessionId ?? userId] : [accounts, userId]

  function withPlace(handler: RouteHandlerMethod): RouteHandlerMethod {
    return function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      /** Once there is room for its answer. */
      const inTurn = (answer: unknown): unknown => {
        loopShares.goOnFor(presentOwner())
        if (programTurn.hasRoom()) return programTurn.begin(answer)
        return nextStep().then(() => programTurn.begin(answer))
      }
      const work = (leave: Leave): unknown => {
        request.leavePlace = leave
        return handled(() => handler.call(this, request, reply), leave, inTurn)
      }
      if (!request.caller) return work(() => leaveAddressPlace(request))
      leaveAddressPlace(request)
      const [places, owner] = placesFor(request, request.caller.userId)
      const leave = places.enter(owner)
      return leave ? work(leave) : waitFor(places, owner, { request, reply, work: keepOwner(work) })
    }
  }

  function withPlaceUnlessBody(handler: RouteHandlerMethod): RouteHandlerMethod {
    const placedHandler = withPlace(handler)
    return function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      if (!hasBody(request.raw)) return placedHandler.call(this, request, reply)
      leaveAddressPlace(request)
      return handler.call(this, request, reply)
    }
  }

  // A handler that returns its reply is done when the last byte has left: a player may take hours. What is soon over keeps its place until
  // then, so that sixty large lists of one account are not written at once.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (payload instanceof Readable) setTimeout(() => request.leavePlace?.(), BODY_MS).unref()
    done(null, payload)
  })

  app.addHook('onRoute', (route: RouteOptions) => {
    // Fastify adds a HEAD beside each GET, with the handler that it has by then.
    if (placed.has(route.handler)) return
    const { upload, beginsUpload } = route.config ?? {}
    route.handler = upload && !beginsUpload ? withPlaceUnlessBody(route.handler) : withPlace(route.handler)
    placed.add(route.handler)
  })
}

interface WaitingCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Whatever makes room for it begins it. */
  readonly work: (leave: Leave) => unknown
}

function waitFor(places: CallPlaces, owner: string, { request, reply, work }: WaitingCall): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const giveUp = places.wait(owner, (leave) => {
      reply.raw.removeListener('close', gone)
      // Nobody else would hear of a handler that throws at once.
      try {
        resolve(work(leave))
      } catch (error) {
        reject(error)
      }
    })
    function gone(): void {
      giveUp?.()
      // Nobody is there to be answered.
      reply.hijack()
      resolve(undefined)
    }
    if (giveUp) return void reply.raw.once('close', gone)
    throw tooManyAtOnce(request)
  })
}

/**
 * Gives the place back once the handler is done, in whatever way. What it returns is written as JSON, and a large answer takes some milliseconds: once that
 * has kept a turn busy for long, the next waits for another. A database brings what many calls have asked for in the same turn.
 */
function handled(run: () => unknown, leave: Leave, inTurn: (answer: unknown) => unknown): unknown {
  try {
    const done = run()
    if (!(done instanceof Promise)) {
      leave()
      return done
    }
    const answered = done.then(inTurn)
    answered.then(leave, leave)
    return answered
  } catch (error) {
    leave()
    throw error
  }
}
