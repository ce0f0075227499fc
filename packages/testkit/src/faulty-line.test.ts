import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FaultyLine, openFaultyLine } from './faulty-line.ts'
import { waitFor } from './wait-for.ts'

/** Answers each word with the same, and keeps what it heard. */
let server: Server
let heard: string
let line: FaultyLine
const clients: Socket[] = []

beforeEach(async () => {
  heard = ''
  server = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (data) => {
        heard += data
        socket.write(data)
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  line = await openFaultyLine((server.address() as AddressInfo).port)
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await line.close()
  server.close()
})

async function join() {
  const socket = connect(line.port, '127.0.0.1')
  clients.push(socket)
  let answers = ''
  let isClosed = false
  socket
    .on('error', () => {})
    .on('close', () => {
      isClosed = true
    })
  socket.on('data', (data) => {
    answers += data
  })
  // One that is refused may hear so before it hears that it stood.
  await once(socket, 'connect').catch(() => {})
  return { say: (word: string) => socket.write(word), answers: () => answers, isClosed: () => isClosed }
}

const LONG_MS = 300

describe('a line that a test makes faulty', () => {
  it('carries both ways', async () => {
    const client = await join()
    client.say('a')
    await waitFor('the answer', async () => client.answers() === 'a')
  })

  it('breaks what stands and refuses what comes', async () => {
    const client = await join()
    line.set('reset')
    await waitFor('the end', async () => client.isClosed())
    const next = await join()
    await waitFor('the end of the next', async () => next.isClosed())
    line.set('pass')
    const third = await join()
    third.say('a')
    await waitFor('the answer', async () => third.answers() === 'a')
  })

  it('says nothing, and brings late what was said meanwhile', async () => {
    const client = await join()
    line.set('silent')
    client.say('a')
    const next = await join()
    next.say('b')
    await sleep(LONG_MS)
    expect([heard, client.answers(), client.isClosed(), next.isClosed()]).toEqual(['', '', false, false])
    line.set('pass')
    await waitFor('the answers', async () => client.answers() === 'a' && next.answers() === 'b')
  })

  it('carries what is asked but no answer, or answers but nothing that is asked', async () => {
    const client = await join()
    line.set('requests-only')
    client.say('a')
    await waitFor('the request', async () => heard === 'a')
    await sleep(LONG_MS)
    expect(client.answers()).toBe('')
    line.set('answers-only')
    await waitFor('the answer', async () => client.answers() === 'a')
    client.say('b')
    await sleep(LONG_MS)
    expect(heard).toBe('a')
  })

  it('carries late, in the right order', async () => {
    const client = await join()
    line.set({ delayMs: LONG_MS })
    const begun = performance.now()
    client.say('a')
    client.say('b')
    await waitFor('the answer', async () => client.answers() === 'ab', { everyMs: 10 })
    expect(performance.now() - begun).toBeGreaterThanOrEqual(2 * LONG_MS - 10)
  })
})
