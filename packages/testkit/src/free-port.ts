import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the range from which the kernel serves outgoing connections (32768 and up), so that nobody takes the port while
 * a test has its server down for a moment.
 */
const FIRST = 20_000
const PAST_LAST = 32_000
const TRIES = 100

/** A port of the loopback address that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(FIRST, PAST_LAST)
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
