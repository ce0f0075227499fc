import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limitBodiesAtOnce } from './body-room.ts'
import { answerErrors } from './error-answers.ts'

const app = Fastify()
let url = ''
let isAsked = false

beforeAll(async () => {
  answerErrors(app)
  limitBodiesAtOnce(app, async ({ headers }) => String(headers['x-api-key']))
  app.get('/feed', (_request, reply) => {
    isAsked = true
    reply.hijack()
    reply.raw.writeHead(200).flushHeaders()
  })
  app.post('/echo', async () => ({}))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})

it('[SAFE-07] what a GET brings as a body takes no room from the bodies of others, however long its answer lasts', async () => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  const part = Buffer.alloc(64 * 1024)
  const chunk = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  socket.write('GET /feed HTTP/1.1\r\nhost: x\r\nx-api-key: a\r\ntransfer-encoding: chunked\r\n\r\n')
  await expect.poll(() => isAsked).toBe(true)
  for (let sent = 0; sent < 80 * 1024 ** 2; sent += part.length) {
    // Nobody reads it, so that it may not be taken in at all.
    const isTaken = socket.write(chunk) || (await Promise.race([once(socket, 'drain'), sleep(500, false)]))
    if (!isTaken || socket.destroyed) break
  }
  const body = JSON.stringify('x'.repeat(20_000))
  const headers = { 'x-api-key': 'b', 'content-type': 'application/json' }
  expect((await fetch(`${url}/echo`, { method: 'POST', headers, body })).status).toBe(200)
  socket.destroy()
})
