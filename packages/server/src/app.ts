import { randomUUID } from 'node:crypto'
import type { PublicSettings } from '@siarin/contracts/settings'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { DomainError } from './errors.ts'
import { limitCallsOfAddresses } from './http/address-places.ts'
import { limitBodiesAtOnce } from './http/body-room.ts'
import { createBoundedServer } from './http/bounded-server.ts'
import { limitCallsAtOnce } from './http/call-places.ts'
import { chargeCallers } from './http/charge-callers.ts'
import { compiledAnswers } from './http/compiled-answers.ts'
import { connectionLimits } from './http/connection-rules.ts'
import { limitConnections } from './http/connections.ts'
import { openVideosToOtherPages } from './http/cross-origin.ts'
import { answerErrors } from './http/error-answers.ts'
import { healthRoutes, type ReadinessCheck } from './http/health.ts'
import { BODY_MAX_BYTES } from './http/json-bodies.ts'
import { keepPromises } from './http/keep-promises.ts'
import { type MetricsDeps, metricsRoute } from './http/metrics.ts'
import { refuseNul } from './http/no-nul.ts'
import { serveOpenApi } from './http/openapi-route.ts'
import { originOf } from './http/origin.ts'
import { servePagesAtCalls } from './http/pages-at-calls.ts'
import { createApiRate, createSessionRate } from './http/rate-limits.ts'
import { createRequestLog } from './http/request-log.ts'
import { limitSlowBodies } from './http/request-pace.ts'
import { sendSecurityHeaders } from './http/security-headers.ts'
import { createProxyTrust, tellOfUnknownProxy } from './http/trusted-proxies.ts'
import type { App } from './http/types.ts'
import { answerParserFault, answerRouterFault } from './http/unreadable-requests.ts'
import { serveWebApp } from './http/web-app.ts'
import type { CallCounting, CallerHooks } from './modules/identity/caller-hooks.ts'
import type { Module } from './modules/module.ts'
import { type Counters, createLocalCounters } from './platform/counters.ts'
import type { KeepWritten } from './platform/db/keep-written.ts'
import { type Log, loggedUrl } from './platform/log.ts'
import { openFilesLimit } from './platform/process/open-files.ts'
import type { Timings } from './platform/timings.ts'
import type { Awaitable } from './platform/when-known.ts'

/** The address of a preview holds the sealed address of its source. */
const PREVIEW_PATH_MAX = 8_000

/** Who says nothing for so long after connecting is let go. */
const HEADERS_MS = 20_000
/** Longer than proxies keep theirs, so that they are the ones who close. */
const KEEP_ALIVE_MS = 72_000

const userOf = (request: FastifyRequest): string => request.caller?.userId ?? ''

/** What the calls ask of plans. */
interface PlanGuard {
  apiLimitOf(userId: string): Awaitable<number>
  rateRefusal(userId: string, retryAfterSeconds: number): Promise<DomainError>
}

export interface AppDeps {
  log: Log
  plans: PlanGuard
  /** Made here, for what counts calls is the app's. */
  callerHooks: (counting: CallCounting) => CallerHooks
  /** Whose routes it has. */
  modules: readonly Pick<Module, 'routes'>[]
  readinessChecks: readonly ReadinessCheck[]
  metrics: MetricsDeps
  /** The built page; null where no page is served. */
  webRoot: string | null
  publicUrl: string | null
  /** Whose X-Forwarded-For is believed. */
  trustProxy: readonly string[]
  /** Each takes one of the files that connections need too. */
  mostBroadcasts: number
  timings: Pick<Timings, 'requests'>
  publicSettings: Omit<PublicSettings, 'server' | 'year'>
  /** Null: this program is the only one, and counts calls in its memory. */
  sharedCounters: Counters | null
  keepWritten: KeepWritten
  /** Refuses calls that add something while the disk is full. */
  assertRoomForMore: () => Promise<void>
}

const MOST_LISTENERS = 20

function noCompiler(): never {
  throw new Error('a route without one of our compilers')
}

/** One line per request, without the query, where keys travel. */
function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (log.isLevelEnabled('info')) {
      const { id: reqId, method, ip } = request
      const ms = Math.round(reply.elapsedTime)
      log.info({ reqId, method, url: loggedUrl(request.url), status: reply.statusCode, ms, ip }, 'request')
    }
    done()
  })
}

/** Everything that answers HTTP. Reads no environment and does not listen. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { log, publicUrl } = deps
  const isProxy = createProxyTrust(deps.trustProxy)
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Written below.
    logController: new LogController({ disableRequestLogging: true }),
    // What stands before the nearest address that is no proxy of ours anyone can write.
    trustProxy: isProxy,
    serverFactory: (handle) =>
      createBoundedServer(
        {
          headersTimeout: HEADERS_MS,
          connectionsCheckingInterval: HEADERS_MS / 4,
          keepAliveTimeout: KEEP_ALIVE_MS,
        },
        handle,
      ),
    bodyLimit: BODY_MAX_BYTES,
    genReqId: () => randomUUID(),
    childLoggerFactory: createRequestLog,
    clientErrorHandler: answerParserFault,
    frameworkErrors: answerRouterFault,
    routerOptions: { maxParamLength: PREVIEW_PATH_MAX },
    // Given none, Fastify loads two compilers of its own, some megabytes; ours are set below.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Open connections of a player or an upload would keep the program from ending.
    forceCloseConnections: true,
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(compiledAnswers)
  // Calls are JSON or a form; what Fastify would take as plain text is a mistake of the caller.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('caller', null)
  app.decorateRequest('sessionCaller', null)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    // Fastify listens for the end of an answer in each of its steps, and we in some: more than Node takes for a leak, and none is one.
    reply.raw.setMaxListeners(MOST_LISTENERS)
    // Their answers hold keys and tokens.
    if (request.url.startsWith('/auth/')) reply.header('Cache-Control', 'no-store')
    done()
  })
  logRequests(app, log)
  answerErrors(app)
  limitConnections(app, { limits: connectionLimits(openFilesLimit(), deps.mostBroadcasts), isProxy })
  tellOfUnknownProxy(app, isProxy)
  // Before the call leaves the place of its address: to find out whose body it is costs a look into the database.
  limitBodiesAtOnce(app, (request) => hooks.accountInHeaders(request))
  limitCallsOfAddresses(app)
  limitSlowBodies(app, deps.timings.requests)
  chargeCallers(app)
  refuseNul(app)
  servePagesAtCalls(app, deps.webRoot !== null)
  keepPromises(app, deps.keepWritten)
  app.addHook('preHandler', ({ routeOptions }, _reply, done) => {
    if (!routeOptions.config.adds) return done()
    deps.assertRoomForMore().then(() => done(), done)
  })

  sendSecurityHeaders(app, publicUrl, deps.publicSettings.videoServiceUrl)
  openVideosToOtherPages(app)
  app.decorate('counters', deps.sharedCounters ?? createLocalCounters())
  await serveOpenApi(app, `${deps.publicSettings.brand} API`)

  const { apiLimitOf, rateRefusal } = deps.plans
  const countApiCall = createApiRate(app, { userOf, limitOf: apiLimitOf, refusal: rateRefusal })
  const countSessionCall = createSessionRate(app, ONLINE_TEXTS.tooMany)
  const hooks = deps.callerHooks({ countApiCall, countSessionCall })
  await app.register(async (calls) => {
    limitCallsAtOnce(calls)
    for (const { routes } of deps.modules) if (routes) await calls.register(routes(hooks))
  })
  healthRoutes(app, deps.readinessChecks)
  metricsRoute(app, deps.metrics)
  await serveWebApp(app, deps.webRoot, deps.publicSettings, (request) => originOf(publicUrl, request))
  return app
}
