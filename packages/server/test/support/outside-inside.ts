import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Tests have no addresses but those of this machine: of two of them one is taken for the internet. */
export const OUTSIDE = '127.0.0.2'
export const isOutside = (address: string): boolean => address === OUTSIDE

export interface OutsideAndInside {
  /** The address of a server that may be reached. */
  readonly outside: string
  /** The address of one that may not. */
  readonly inside: string
  readonly insidePort: number
  /** How often the latter was reached. */
  reached(): number
  /** What the former was asked for. */
  asked(): string[]
  close(): void
}

/** `answer` speaks for the server outside; the one inside would say the same. */
export async function openOutsideAndInside(answer: RequestListener): Promise<OutsideAndInside> {
  const asked: string[] = []
  let reached = 0
  const listen = async (server: Server, host: string) => {
    server.listen(0, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const outer = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  const inner = createServer(answer).on('connection', () => {
    reached++
  })
  const outerPort = await listen(outer, OUTSIDE)
  const insidePort = await listen(inner, '127.0.0.1')
  return {
    outside: `http://${OUTSIDE}:${outerPort}`,
    inside: `http://127.0.0.1:${insidePort}`,
    insidePort,
    reached: () => reached,
    asked: () => [...asked],
    close() {
      for (const server of [outer, inner]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
