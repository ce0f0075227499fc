import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { limitConnections } from './connections.ts'

const PLACES = 3
const MUCH = 64 * 1024 ** 2

it('[SAFE-01] those who ask and never read the answer go before anybody is refused; those who read, and what pipelines, stay', async () => {
  const app = Fastify()
  limitConnections(app, { limits: { total: PLACES, perAddress: PLACES }, isProxy: () => false, stillMs: 300 })
  app.get('/much', () => Readable.from(endless(MUCH), { objectMode: false }))
  app.get('/quick', () => 'here')
  app.get('/slow', () => new Promise((resolve) => setTimeout(resolve, 1_500, 'late')))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = async (paths: string[]): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: test\r\n\r\n`).join(''))
    return socket
  }
  const firstLine = async (socket: Socket): Promise<string> => String(await once(socket, 'data')).slice(0, 12)

  // The first answer is done, the second is being made: it is served all the same.
  const pipelining = await ask(['/quick', '/slow'])
  expect(await firstLine(pipelining)).toBe('HTTP/1.1 200')
  const deaf = [await ask(['/much']), await ask(['/much'])]
  for (const socket of deaf) socket.pause()
  let answers = 0
  for (const began = Date.now(); answers === 0 && Date.now() - began < 20_000; ) {
    const honest = await ask(['/quick'])
    if ((await firstLine(honest)) === 'HTTP/1.1 200') answers++
    honest.destroy()
  }
  expect(answers).toBe(1)
  expect(await firstLine(pipelining)).toBe('HTTP/1.1 200')
  for (const socket of [...deaf, pipelining]) socket.destroy()
  await app.close()
}, 60_000)

function* endless(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024)
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece
}
