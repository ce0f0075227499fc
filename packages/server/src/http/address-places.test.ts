import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitCallsOfAddresses } from './address-places.ts'
import { createBoundedServer } from './bounded-server.ts'
import { limitCallsAtOnce } from './call-places.ts'
import { answerErrors } from './error-answers.ts'

const PLACES = 24
const DEAR_MS = 6
const OPTIONS = { headersTimeout: 60_000, connectionsCheckingInterval: 30_000, keepAliveTimeout: 5_000 }
const served: string[] = []
const app = Fastify({ trustProxy: true, serverFactory: (handle) => createBoundedServer(OPTIONS, handle) })
const released = Promise.withResolvers<void>()
let hanging = 0
let url = ''

beforeAll(async () => {
  app.decorateRequest('caller', null)
  answerErrors(app)
  limitCallsOfAddresses(app)
  await app.register(async (calls) => {
    limitCallsAtOnce(calls)
    // As a key that is looked up and found wrong.
    const preValidation = async (): Promise<void> => {
      hanging++
      await released.promise
    }
    calls.get('/judged', { preValidation }, async () => ({}))
    // Nothing waits for anything: all of it happens in one go, wherever it begins.
    calls.get('/dear', async ({ ip }) => {
      for (const until = performance.now() + DEAR_MS; performance.now() < until; );
      served.push(ip)
      return {}
    })
    calls.post('/echo', async ({ body }) => ({ body }))
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })
const post = (address: string, body: string) =>
  fetch(`${url}/echo`, { method: 'POST', body, headers: { ...from(address), 'content-type': 'application/json' } })

describe('[SAFE-07] calls of one address, before it is known whose they are', () => {
  it('are few at once, whatever becomes of them, and hold up no other address', async () => {
    const judged = Array.from({ length: PLACES + 10 }, () => fetch(`${url}/judged`, { headers: from('10.0.0.1') }))
    await expect.poll(() => hanging, { timeout: 10_000 }).toBe(PLACES)
    const waiting = post('10.0.0.1', '{}')
    expect((await post('10.0.0.2', '{"a":1}')).status).toBe(200)
    expect((await fetch(`${url}/nowhere`, { headers: from('10.0.0.2') })).status).toBe(404)
    expect(await Promise.race([waiting, sleep(200, 'waits')])).toBe('waits')
    released.resolve()
    expect((await Promise.all(judged)).every(({ status }) => status === 200)).toBe(true)
    expect((await waiting).status).toBe(200)
  })

  it('give their places back: hundreds one after another are served, answered, refused or broken off', async () => {
    const { hostname, port } = new URL(url)
    for (let count = 0; count < 5 * PLACES; count++) {
      expect((await post('10.0.0.3', JSON.stringify({ count }))).status).toBe(200)
      expect((await post('10.0.0.3', '{')).status).toBe(400)
      expect((await post('10.0.0.3', '')).status).toBe(400)
      expect((await fetch(`${url}/nowhere`, { headers: from('10.0.0.3') })).status).toBe(404)
      const socket = connect(Number(port), hostname)
      socket.write('POST /echo HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 10.0.0.3\r\ncontent-length: 9\r\n\r\n{')
      await once(socket, 'connect')
      socket.destroy()
    }
  })

  it('do not keep another address waiting that comes through the same proxy after all of them', async () => {
    const { hostname, port } = new URL(url)
    const sockets = await Promise.all(
      Array.from({ length: 61 }, async () => {
        const socket = connect(Number(port), hostname)
        await once(socket, 'connect')
        return socket
      }),
    )
    const answers = sockets.map((socket) => once(socket, 'data'))
    for (const [at, socket] of sockets.entries()) {
      const address = at < 60 ? '10.0.0.5' : '10.0.0.6'
      socket.write(`GET /dear HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n\r\n`)
    }
    await Promise.all(answers)
    for (const socket of sockets) socket.destroy()
    expect(served).toHaveLength(61)
    expect(served.indexOf('10.0.0.6')).toBeLessThan(15)
  })

  it('hold no place while their body comes in, which may take as long as its sender likes', async () => {
    const { hostname, port } = new URL(url)
    const head = 'POST /echo HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 10.0.0.4\r\ncontent-type: application/json\r\n'
    const slow = Array.from({ length: 2 * PLACES }, () => {
      const socket = connect(Number(port), hostname)
      socket.write(`${head}content-length: 2\r\n\r\n{`)
      return socket
    })
    await sleep(200)
    expect((await post('10.0.0.4', '{}')).status).toBe(200)
    const answers = slow.map((socket) => once(socket, 'data'))
    for (const socket of slow) socket.write('}')
    expect((await Promise.all(answers)).every(([text]) => String(text).startsWith('HTTP/1.1 200'))).toBe(true)
    for (const socket of slow) socket.destroy()
  })
})
