import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the range from which the kernel serves outgoing connections (32768 and up), so that nobody takes the port while
 * a test has its server down for a moment.
 */
const FIRST = 20_000
const PAST_LAST = 32_000
const TRIES = 100
/** Each process goes on from a place of its own: none gives out twice what a server is only about to listen on. */
let last = randomInt(FIRST, PAST_LAST)

/** A port of the loopback address that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    last = last + 1 < PAST_LAST ? last + 1 : FIRST
    const port = last
    if (await isFree(port)) return port
  }
  throw new Error(`no free port after ${TRIES} tries between ${FIRST} and ${PAST_LAST}`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
