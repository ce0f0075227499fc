import { EventEmitter, once } from 'node:events'
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
import { createPreviewProxy, type PreviewProxy } from './preview-proxy.ts'
import { PREVIEW_ROOT, type Ticket } from './preview-tickets.ts'

const app = Fastify()
const timings = { previewLeaveMs: 60_000, previewHeadMs: 60_000, previewStallMs: 60_000 }
const LONG = Buffer.from(`#EXTM3U\n${'#EXTINF:4,\na\n'.repeat(4_000)}`)
let opened = 0
let url = ''
let proxy: PreviewProxy

/** By the path of its address: it never answers, never comes to its end, or is long. */
const open: Egress['open'] = async (at, { signal }) => {
  opened++
  if (at.pathname === '/silent') await once(signal, 'abort')
  signal.throwIfAborted()
  if (at.pathname === '/long') return { body: Readable.from([LONG]) as IncomingMessage, url: at, sizeBytes: null }
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

function read(sealed: string): Ticket {
  const [userId = '', path = ''] = sealed.split('.')
  return { userId, keyMark: '', url: new URL(`http://source.example/${path}`), expiresAt: Infinity }
}

beforeAll(async () => {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorate('counters', createLocalCounters())
  app.decorateRequest('caller', null)
  app.decorateRequest('sessionCaller', null)
  answerErrors(app)
  limitCallsOfAddresses(app)
  proxy = createPreviewProxy({
    tickets: {
      read,
      path: () => 'x'.repeat(490),
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

  it('[SAFE-07] a reader who takes nothing of a playlist is ended, and one who takes it has all of it', async () => {
    timings.previewStallMs = 300
    expect((await (await preview('e', 'long')).text()).length).toBeGreaterThan(1.9 * 1024 ** 2)
    // The kernel would take all of it from a reader who does not.
    const reply = { raw: new EventEmitter(), header: () => reply, type: () => reply, send: (body: unknown) => body }
    const request = { raw: { socket: { destroyed: false } }, headers: {}, query: {} }
    const sent: unknown = await proxy.serve(read('e.long'), request as never, reply as never)
    const [error] = (await once(sent as Readable, 'error')) as [Error]
    expect(error.message).toBe('nobody takes it any more')
  })
})
