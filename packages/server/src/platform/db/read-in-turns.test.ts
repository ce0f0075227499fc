import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { readInTurns } from './read-in-turns.ts'

const MANY_BYTES = 4 * 2 ** 20

async function receive(hasRoom: () => boolean) {
  const server = createServer((socket) => socket.end(Buffer.alloc(MANY_BYTES))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect(server.address() as { port: number; host?: string })
  let [bytes, inThisTurn, mostInOne] = [0, 0, 0]
  let isOver = false
  const turn = (): void => {
    inThisTurn = 0
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  socket.on('data', (part) => {
    bytes += part.length
    mostInOne = Math.max(mostInOne, ++inThisTurn)
  })
  readInTurns(socket, { begin: () => undefined, hasRoom })
  await once(socket, 'close')
  isOver = true
  server.close()
  return { bytes, mostInOne }
}

it('[SAFE-07] what a connection brings is read to its end, a part in each turn of the loop once that has no room', async () => {
  expect(await receive(() => false)).toEqual({ bytes: MANY_BYTES, mostInOne: 1 })
  const { bytes, mostInOne } = await receive(() => true)
  expect(bytes).toBe(MANY_BYTES)
  expect(mostInOne).toBeGreaterThan(1)
})
