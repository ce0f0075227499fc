import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { createBoundedServer } from './bounded-server.ts'

const OPTIONS = { headersTimeout: 60_000, connectionsCheckingInterval: 30_000, keepAliveTimeout: 5_000 }
const ASKED = 'GET / HTTP/1.1\r\nhost: test\r\n\r\n'

let server: Server
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

async function ask(times: number, answerAfterMs: number) {
  let handled = 0
  server = createBoundedServer(OPTIONS, (_request, response) => {
    handled++
    setTimeout(() => response.end('here'), answerAfterMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  let answer = ''
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text
  })
  socket.write(ASKED.repeat(times))
  return { socket, answers: () => answer.split('HTTP/1.1 200').length - 1, handled: () => handled }
}

it('[SAFE-01] a thousand requests at once on one connection end it, and few of them are made ready', async () => {
  const { socket, handled } = await ask(1_000, 10_000)
  await once(socket, 'close')
  expect(handled()).toBe(1)
})

it('[SAFE-01] a body in crumbs ends its connection, and one in parts that are worth something arrives', async () => {
  const sizes: number[] = []
  server = createBoundedServer(OPTIONS, async (request, response) => {
    const body = await buffer(request).catch(() => null)
    if (body) sizes.push(body.length)
    response.end('here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const send = (part: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nhost: test\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n')
    socket.end(`${`${part.length.toString(16)}\r\n${part}\r\n`.repeat(5_000)}0\r\n\r\n`)
    socket.resume()
    return new Promise((resolve) => socket.once('close', resolve))
  }
  await send('x')
  expect(sizes).toEqual([])
  await send('x'.repeat(40))
  expect(sizes).toEqual([200_000])
})

it('some requests at once are answered in their order, and more after them', async () => {
  const { socket, answers } = await ask(8, 1)
  while (answers() < 8) await once(socket, 'data')
  socket.write(ASKED.repeat(8))
  while (answers() < 16) await once(socket, 'data')
  expect(socket.destroyed).toBe(false)
  socket.destroy()
})

it('[SAFE-07] a connection wants one thing at a time: its next request begins when the one before it is answered', async () => {
  const { answers, handled } = await ask(5, 50)
  await expect.poll(handled).toBe(1)
  expect(answers()).toBe(0)
  await expect.poll(answers).toBe(5)
})
