import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitCallsOfAddresses } from '../../http/address-places.ts'
import { limitCallsAtOnce } from '../../http/call-places.ts'
import { answerErrors } from '../../http/error-answers.ts'
import type { App } from '../../http/types.ts'
import { createLocalCounters } from '../../platform/counters.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { platformsRoutes } from './platforms.routes.ts'
import { createPreviewProxy } from './preview-proxy.ts'
import { PREVIEW_ROOT } from './preview-tickets.ts'

const app = Fastify()
const timings = { previewLeaveMs: 60_000, previewHeadMs: 60_000 }
let opened = 0
let url = ''

/** By the path of its address: it never answers, or never comes to its end. */
const open: Egress['open'] = async (at, { signal }) => {
  opened++
  if (at.pathname === '/silent') await once(signal, 'abort')
  signal.throwIfAborted()
  const body = Readable.from(trickle(at.pathname === '/playlist' ? '#EXTM3U\n' : '')) as IncomingMessage
  signal.addEventListener('abort', () => body.destroy(signal.reason))
  return { body, url: at, sizeBytes: null }
}

async function* trickle(start: string) {
  yield Buffer.from(start.padEnd(300, '#'))
  for (;;) {
    yield Buffer.from('#')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

beforeAll(async () => {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorate('counters', createLocalCounters())
  app.decorateRequest('caller', null)
  app.decorateRequest('sessionCaller', null)
  answerErrors(app)
  limitCallsOfAddresses(app)
  const proxy = createPreviewProxy({
    tickets: {
      read: (sealed) => {
        const [userId = '', path = ''] = sealed.split('.')
        return { userId, keyMark: '', url: new URL(`http://source.example/${path}`), expiresAt: Infinity }
      },
      path: () => '',
      expiry: () => 0,
    },
    egress: { open },
    clock: { now: () => 0 },
    assertAccess: async () => {},
    keyMarkOf: async () => '',
    timings,
  })
  const nobody = async () => {}
  await app.register(async (calls) => {
    limitCallsAtOnce(calls)
    calls.get('/read', async () => ({}))
    const hooks = { requireKeyOrSession: nobody, assertProved: nobody }
    await platformsRoutes({ proxy, hooks } as never)(calls as unknown as App)
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const preview = (who: string, path: string, signal: AbortSignal | null = null) =>
  fetch(`${url}${PREVIEW_ROOT}/${who}.${path}/index.m3u8`, { signal })

describe('previews of sources that hang', () => {
  it('[SAFE-07] keep nobody at their address from being answered', async () => {
    const leaving = new AbortController()
    const hanging = ['a', 'b', 'c'].flatMap((who) =>
      Array.from({ length: 8 }, () => preview(who, 'silent', leaving.signal).catch(() => 'gone')),
    )
    try {
      await expect.poll(() => opened, { timeout: 5_000 }).toBe(24)
      expect((await fetch(`${url}/read`, { signal: AbortSignal.timeout(1_000) })).status).toBe(200)
    } finally {
      leaving.abort()
      await Promise.all(hanging)
    }
  })

  it.each(['silent', 'playlist'])('[LIVE-07] are over after a while: %s', async (path) => {
    timings.previewHeadMs = 200
    const reply = await preview('d', path, AbortSignal.timeout(3_000))
    expect([reply.status, await reply.json()]).toMatchObject([502, { code: 'source_unreachable' }])
  })
})
