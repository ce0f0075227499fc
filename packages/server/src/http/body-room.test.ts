import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRoom, limitBodiesAtOnce } from './body-room.ts'
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

it('[SAFE-07] bodies of seventeen accounts that never end, and fill all the room, do not keep that of another one out', async () => {
  const { hostname, port } = new URL(url)
  const length = 1024 ** 2
  const almost = Buffer.alloc(length - 1, ' ')
  const answers: string[] = []
  const sockets = Array.from({ length: 68 }, (_, index) => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.once('data', (answer) => void answers.push(String(answer)))
    const head = `POST /echo HTTP/1.1\r\nhost: x\r\nx-api-key: thief-${index % 17}\r\ncontent-type: application/json\r\n`
    socket.write(`${head}content-length: ${length}\r\n\r\n`)
    socket.write(almost)
    return socket
  })
  await expect.poll(() => answers, { timeout: 10_000 }).toContainEqual(expect.stringMatching(/^HTTP\/1\.1 503 /))
  const body = JSON.stringify('x'.repeat(200_000))
  const headers = { 'x-api-key': 'b', 'content-type': 'application/json' }
  for (let count = 0; count < 10; count++) {
    expect((await fetch(`${url}/echo`, { method: 'POST', headers, body })).status).toBe(200)
  }
  for (const socket of sockets) socket.destroy()
})

describe('[SAFE-07] the room for what has come of bodies', () => {
  function roomOf({ eachBytes = 40, inAllBytes = 100 } = {}) {
    const room = createRoom({ eachBytes, inAllBytes })
    const cut: string[] = []
    return {
      cut,
      send(owner: string, come: number, { announced = come, isComing = true } = {}) {
        const place = room.enter(owner, {
          ...{ announced, come: 0, isComing: () => isComing },
          cut: () => void cut.push(`${owner} ${come}`),
        })
        place?.noteCome(come)
        return place
      },
    }
  }

  it('is made by ending the largest body that comes, of the one that holds most', () => {
    const { send, cut } = roomOf()
    send('a', 30)
    for (const come of [5, 20, 10]) send('b', come)
    send('c', 35)
    expect(cut).toEqual([])
    send('d', 1)
    expect(cut).toEqual(['b 20'])
    send('d', 30)
    expect(cut).toEqual(['b 20', 'c 35'])
  })

  it('is not made by ending what is here already, nor at the cost of those that hold an equal part or less', () => {
    const { send, cut } = roomOf()
    for (const owner of ['a', 'b']) send(owner, 40, { isComing: false })
    send('c', 20)
    for (const come of [15, 1]) send('d', come)
    expect(cut).toEqual([])
    send('d', 10)
    expect(cut).toEqual(['d 15'])
  })

  it('has an end, also where all that is held is here already', () => {
    const { send, cut } = roomOf({ eachBytes: 100 })
    for (const part of [100, 50, 33, 17]) expect(send(`owner of ${part}`, part, { isComing: false })).not.toBeNull()
    expect([send('e', 1), cut]).toEqual([null, []])
  })

  it('is given back once, and counts no more than was announced, which each has a bound for', () => {
    const { send, cut } = roomOf()
    expect(send('a', 1, { announced: 41 })).toBeNull()
    const first = send('a', 70, { announced: 30 })
    expect(send('a', 0, { announced: 11 })).toBeNull()
    for (const owner of ['b', 'c']) send(owner, 35)
    expect(cut).toEqual([])
    first?.leave()
    first?.leave()
    first?.noteCome(30)
    send('a', 30)
    expect(cut).toEqual([])
    send('d', 1)
    expect(cut).toHaveLength(1)
  })
})
