import Fastify from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { expect, it } from 'vitest'
import { DomainError } from '../../../errors.ts'
import { compiledAnswers } from '../../../http/compiled-answers.ts'
import type { App } from '../../../http/types.ts'
import { createLocalCounters } from '../../../platform/counters.ts'
import { asOwner } from '../../identity/caller.ts'
import { createStartLimit, START_LIMIT } from './start-limit.ts'
import { streamsRoutes } from './streams.routes.ts'

function limited() {
  let now = 0
  const within = createStartLimit({ counters: createLocalCounters(() => now) })
  const start = (userId = 'ani', targets = 1, begin = async () => 'begun') =>
    within(userId, targets, begin).catch(({ code, retryAfterSeconds }) => [code, retryAfterSeconds])
  return { start, pass: (ms: number) => (now += ms) }
}

it('[SAFE-06] an account begins so many targets in an hour, and others are not held up', async () => {
  const { start, pass } = limited()
  expect(await start('ani', START_LIMIT.targets - 1)).toBe('begun')
  pass(600_500)
  expect(await start('ani', 2)).toEqual(['rate_limited', 3_000])
  expect([await start(), await start()]).toEqual(['begun', ['rate_limited', 3_000]])
  expect(await start('budi', START_LIMIT.targets)).toBe('begun')
  pass(3_000_000)
  expect(await start()).toBe('begun')
})

it('[SAFE-06] starts that are refused do not count', async () => {
  const { start } = limited()
  const refuse = () => Promise.reject(new DomainError('server_full', 'penuh'))
  for (let tries = 0; tries < 3; tries++) {
    expect(await start('ani', START_LIMIT.targets, refuse)).toEqual(['server_full', undefined])
  }
  expect(await start('ani', START_LIMIT.targets)).toBe('begun')
})

/** The routes alone: whatever is asked for begins. */
async function routesWhereAllBegins(): Promise<App> {
  const app = Fastify() as unknown as App
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(compiledAnswers)
  app.setErrorHandler((error: DomainError, _request, reply) =>
    reply.code(error.code === 'rate_limited' ? 429 : 500).send(),
  )
  app.decorateRequest('caller', null)
  app.decorate('counters', createLocalCounters())
  const requireKeyOrSession = async (request: { caller: unknown }) => {
    request.caller = asOwner('ani')
  }
  const deps = {
    hooks: { requireKeyOrSession, assertProved: async () => {} },
    broadcasts: { start: async () => ({ broadcastId: 'satu', streamIds: [] }), addTargets: async () => [] },
    service: { start: async () => ({ streamId: 'satu' }) },
  }
  await app.register(streamsRoutes(deps as never))
  return app
}

it('[SAFE-06] each way to begin a broadcast counts its targets, and is refused beyond them', async () => {
  const app = await routesWhereAllBegins()
  const target = { rtmpStream: 'rtmp://127.0.0.1/live/kunci', platform: 'lain' }
  const what = { source: 'klip.mp4', looping: true }
  const targets = Array.from({ length: 20 }, () => target)
  const post = async (url: string, body: object) =>
    (await app.inject({ method: 'POST', url, payload: body })).statusCode
  const ways = [
    () => post('/fitur/steam/start', { ...what, ...target }),
    () => post('/fitur/broadcast', { ...what, targets }),
    () => post('/fitur/broadcast/satu/targets', { targets }),
  ]
  for (const way of ways) expect(await way()).toBe(200)
  for (let begun = 41; begun + 20 <= START_LIMIT.targets; begun += 20) expect(await ways[1]?.()).toBe(200)
  expect([await ways[1]?.(), await ways[2]?.()]).toEqual([429, 429])
  // A single one has room until all are used.
  for (let begun = 981; begun < START_LIMIT.targets; begun++) expect(await ways[0]?.()).toBe(200)
  expect(await ways[0]?.()).toBe(429)
  await app.close()
})
