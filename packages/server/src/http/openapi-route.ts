import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { createSmallSteps } from '../platform/small-steps.ts'

type Transform = typeof jsonSchemaTransform
type Transformed = ReturnType<Transform>

/** Describes the routes that are added afterwards. It is made when it is first asked for: a third of a second of work, in steps. */
export async function serveOpenApi(app: FastifyInstance, title: string): Promise<void> {
  const transformed = new Map<string, Transformed>()
  const transform: Transform = (asked) => {
    const key = `${asked.route.method} ${asked.url}`
    const known = transformed.get(key) ?? jsonSchemaTransform(asked)
    transformed.set(key, known)
    return known
  }
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.schema) routes.push(route)
  })
  await app.register(fastifySwagger, {
    openapi: {
      info: { title, version: '1' },
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    },
    transform,
  })

  const nextStep = createSmallSteps().of('')
  async function make(): Promise<Packed> {
    for (const route of routes) {
      await nextStep()
      transform({ schema: route.schema ?? {}, url: route.url, route, openapiObject: {} } as Parameters<Transform>[0])
    }
    await nextStep()
    const document = app.swagger()
    await nextStep()
    const plain = Buffer.from(JSON.stringify(document))
    return { plain, packed: await promisify(gzip)(plain) }
  }
  let made: Promise<Packed> | null = null

  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    made ??= make()
    const { plain, packed } = await made
    const takesPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    reply.type('application/json; charset=utf-8').header('Vary', 'Accept-Encoding')
    if (takesPacked) reply.header('Content-Encoding', 'gzip')
    return reply.send(takesPacked ? packed : plain)
  })
}

interface Packed {
  readonly plain: Buffer
  readonly packed: Buffer
}
