import { randomUUID } from 'node:crypto'
import fastifyHelmet from '@fastify/helmet'
import fastifyRateLimit from '@fastify/rate-limit'
import fastifySwagger from '@fastify/swagger'
import type { PublicSettings } from '@siarin/contracts/settings'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import type { Redis } from 'ioredis'
import type { DomainError } from './errors.ts'
import { type AccessGuard, type CallerHooks, createCallerHooks, type Gatekeeper } from './http/caller.ts'
import { openVideosToOtherPages } from './http/cross-origin.ts'
import { answerErrors } from './http/error-answers.ts'
import { healthRoutes, type ReadinessCheck } from './http/health.ts'
import { keepPromises } from './http/keep-promises.ts'
import { type MetricsDeps, metricsRoute } from './http/metrics.ts'
import { refuseNul } from './http/no-nul.ts'
import { originOf } from './http/origin.ts'
import { createApiRate } from './http/rate-limits.ts'
import type { App, Routes } from './http/types.ts'
import { serveWebApp } from './http/web-app.ts'
import type { KeepWritten } from './platform/db/keep-written.ts'
import { type Log, loggedUrl } from './platform/log.ts'

/** The address of a preview holds the sealed address of its source. */
const PREVIEW_PATH_MAX = 8_000

/** What the calls ask of plans. */
interface PlanGuard extends Pick<AccessGuard, 'needAccess'> {
  apiLimitOf(userId: string): Promise<number>
  rateRefusal(userId: string, retryAfterSeconds: number): Promise<DomainError>
}

export interface AppDeps {
  log: Log
  gatekeeper: Gatekeeper
  plans: PlanGuard
  modules: readonly ((hooks: CallerHooks) => Routes)[]
  readinessChecks: readonly ReadinessCheck[]
  metrics: MetricsDeps
  /** The built page; null where no page is served. */
  webRoot: string | null
  publicUrl: string | null
  trustProxy: boolean
  publicSettings: Omit<PublicSettings, 'server'>
  /** Null: this program is the only one, and counts calls in its memory. */
  sharedCounters: Redis | null
  keepWritten: KeepWritten
}

/** Everything that answers HTTP. Reads no environment and does not listen. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { log, publicUrl } = deps
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line per request, written below: without the query, where keys travel.
    logController: new LogController({ disableRequestLogging: true }),
    // The nearest hop only: what stands before it in X-Forwarded-For anyone can write.
    trustProxy: deps.trustProxy ? (_address, hop) => hop === 0 : false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: PREVIEW_PATH_MAX },
    // Open connections of a player or an upload would keep the program from ending.
    forceCloseConnections: true,
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  // Calls are JSON or a form; what Fastify would take as plain text is a mistake of the caller.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('caller', null)
  app.decorateRequest('sessionCaller', null)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.info({ method, url: loggedUrl(request.url), status: reply.statusCode, ms, ip }, 'request')
  })
  answerErrors(app)
  refuseNul(app)
  keepPromises(app, deps.keepWritten)

  const videoService = [deps.publicSettings.videoServiceUrl].filter(Boolean)
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Toasts and positioned menus set style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...videoService],
        fontSrc: ["'self'", 'data:'],
        // Online sources are shown through us: nothing of theirs is read from elsewhere.
        mediaSrc: ["'self'", 'blob:', ...videoService],
        connectSrc: ["'self'", ...videoService],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // HTTPS is the proxy's business: many run this on a bare address first.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // These two mean nothing without HTTPS but warnings in the console.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  openVideosToOtherPages(app)
  // While the shared counters are away nobody is counted: better than nobody being served.
  const counters = deps.sharedCounters && { redis: deps.sharedCounters, nameSpace: 'siarin:calls:', skipOnError: true }
  await app.register(fastifyRateLimit, { global: false, ...counters })
  await app.register(fastifySwagger, {
    openapi: {
      info: { title: `${deps.publicSettings.brand} API`, version: '1' },
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    },
    transform: jsonSchemaTransform,
  })

  const { needAccess, apiLimitOf, rateRefusal } = deps.plans
  const countApiCall = createApiRate(app, { limitOf: apiLimitOf, refusal: rateRefusal })
  const hooks = createCallerHooks(deps.gatekeeper, { needAccess, countApiCall })
  for (const module of deps.modules) await app.register(module(hooks))
  healthRoutes(app, deps.readinessChecks)
  metricsRoute(app, deps.metrics)
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await serveWebApp(app, deps.webRoot, (request) => ({ ...deps.publicSettings, server: originOf(publicUrl, request) }))
  return app
}
