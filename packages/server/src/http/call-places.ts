import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { DomainError } from '../errors.ts'
import { type CallPlaces, createCallPlaces, type Leave } from '../platform/call-places.ts'
import { addressKey } from './address-key.ts'
import { textsFor } from './error-answers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A stop: it has places of its own, so it gets through whatever else its account has asked for. */
    urgent?: boolean
  }
}

/** A page asks for some ten things at once, and a browser for six at a time. */
const OF_ACCOUNTS = { each: 6, waitingEach: 60, inAll: 24, slowMs: 1_000, turnMs: 10 }
/** Whole campuses and mobile networks share one address. */
const OF_ADDRESSES = { ...OF_ACCOUNTS, each: 24, waitingEach: 240 }
/** An account with ten broadcasts may stop all of them at once. A stop waits some seconds for its ffmpeg, so most of them are slow. */
const OF_STOPS = { ...OF_ACCOUNTS, each: 12, waitingEach: 24 }
const COME_BACK_AFTER_SECONDS = 2

/**
 * For the routes that are added to `app` afterwards: each account has few places for calls at once, whatever the call. A place is held until
 * the handler is done. The body of an answer may take hours, as may a feed, and holds none; nor does an upload, which has bounds of its own.
 */
export function limitCallsAtOnce(app: FastifyInstance): void {
  const accounts = createCallPlaces(OF_ACCOUNTS)
  const addresses = createCallPlaces(OF_ADDRESSES)
  const stops = createCallPlaces(OF_STOPS)

  app.server.on('connection', () => {
    for (const places of [accounts, addresses, stops]) places.noteNews()
  })
  const placed = new WeakSet<RouteHandlerMethod>()

  function placesFor({ caller, ip, routeOptions }: FastifyRequest): [CallPlaces, string] {
    if (!caller) return [addresses, addressKey(ip)]
    return [routeOptions.config.urgent ? stops : accounts, caller.userId]
  }

  function withPlace(handler: RouteHandlerMethod): RouteHandlerMethod {
    return function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      const [places, owner] = placesFor(request)
      const work = (leave: Leave): unknown => handled(() => handler.call(this, request, reply), leave)
      const leave = places.enter(owner)
      return leave ? work(leave) : waitFor(places, owner, { request, reply, work })
    }
  }

  app.addHook('onRoute', (route: RouteOptions) => {
    // Fastify adds a HEAD beside each GET, with the handler that it has by then.
    if (route.config?.upload || placed.has(route.handler)) return
    route.handler = withPlace(route.handler)
    placed.add(route.handler)
  })
}

interface WaitingCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly work: (leave: Leave) => unknown
}

function waitFor(places: CallPlaces, owner: string, { request, reply, work }: WaitingCall): Promise<unknown> {
  return new Promise((resolve) => {
    const giveUp = places.wait(owner, (leave) => {
      reply.raw.removeListener('close', gone)
      resolve(work(leave))
    })
    function gone(): void {
      giveUp?.()
      // Nobody is there to be answered.
      reply.hijack()
      resolve(undefined)
    }
    if (giveUp) return void reply.raw.once('close', gone)
    const { callsAtOnce } = textsFor(request.url)
    throw new DomainError('rate_limited', callsAtOnce, { retryAfterSeconds: COME_BACK_AFTER_SECONDS })
  })
}

/** Gives the place back once the handler is done, in whatever way. */
function handled(run: () => unknown, leave: Leave): unknown {
  try {
    const done = run()
    if (!(done instanceof Promise)) {
      leave()
      return done
    }
    done.then(leave, leave)
    return done
  } catch (error) {
    leave()
    throw error
  }
}
