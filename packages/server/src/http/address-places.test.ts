import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitCallsOfAddresses } from './address-places.ts'
import { limitCallsAtOnce } from './call-places.ts'
import { answerErrors } from './error-answers.ts'

const PLACES = 24
const app = Fastify({ trustProxy: true })
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
      expect((await fetch(`${url}/nowhere`, { headers: from('10.0.0.3') })).status).toBe(404)
      const socket = connect(Number(port), hostname)
      socket.write('POST /echo HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 10.0.0.3\r\ncontent-length: 9\r\n\r\n{')
      await once(socket, 'connect')
      socket.destroy()
    }
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
