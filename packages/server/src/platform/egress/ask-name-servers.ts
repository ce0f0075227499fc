import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { isIP, isIPv6 } from 'node:net'
import { type AddressKind, addressesIn, isAnswerTo, type NameQuestion, packetOf, questionOf } from './name-question.ts'

/** Null: nobody has said anything about this name. */
export type Answer = readonly string[] | null

interface NameServer {
  readonly address: string
  readonly port: number
}

const TRY_MS = 1_500
/** Each server is asked twice. One that does not understand what we say of our size may understand the second. */
const TRIES = [{ tellsSize: true }, { tellsSize: false }]
/** The machine's servers may change: those of a resolver are read when it is made. */
const SERVERS_KEPT_MS = 30_000
/** Who sends more of them than this into one question is guessing its number. */
const MOST_FOREIGN = 20

/**
 * Asks by UDP alone. Node's own resolver also takes an answer of 64 kB by TCP, and needs time that grows with the square of what it holds:
 * anybody with a name could hold up the program. What we read is one packet. A server that has answered is asked first from then on.
 */
export function createNameServers(given: readonly string[]) {
  let servers: readonly NameServer[] = []
  let keptUntilMs = Number.NEGATIVE_INFINITY

  function present(): readonly NameServer[] {
    if (performance.now() < keptUntilMs) return servers
    const resolver = new Resolver()
    if (given.length > 0) resolver.setServers(given)
    servers = resolver.getServers().map(readServer)
    keptUntilMs = performance.now() + SERVERS_KEPT_MS
    return servers
  }

  return async (name: string, kind: AddressKind, endMs: number): Promise<Answer> => {
    const question = questionOf(name, kind)
    if (!question) return []
    for (const { tellsSize } of TRIES) {
      for (const server of present()) {
        const leftMs = Math.min(TRY_MS, endMs - performance.now())
        if (leftMs <= 0) return null
        const answer = await askOne(server, question, tellsSize, leftMs)
        if (!answer) continue
        servers = [server, ...servers.filter((other) => other !== server)]
        return answer
      }
    }
    return null
  }
}

/** An address, or `address:port`, or `[address]:port`. */
function readServer(text: string): NameServer {
  if (isIP(text)) return { address: text, port: 53 }
  const colon = text.lastIndexOf(':')
  return { address: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
}

/** A connected socket hears its server alone. Nobody else knows its port, which the system chooses, nor the number of the question. */
function askOne(server: NameServer, question: NameQuestion, tellsSize: boolean, leftMs: number): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const id = randomInt(0x1_0000)
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4').unref()
  const overdue = setTimeout(settle, leftMs, null).unref()
  let isOver = false
  let foreign = 0

  function settle(answer: Answer): void {
    if (isOver) return
    isOver = true
    clearTimeout(overdue)
    socket.close()
    resolve(answer)
  }

  socket.once('connect', () => {
    if (!isOver) socket.send(packetOf(question, id, tellsSize), (error) => error && settle(null))
  })
  socket.on('message', (message) => {
    if (isAnswerTo(message, question, id)) settle(addressesIn(message, question))
    else if (++foreign === MOST_FOREIGN) settle(null)
  })
  socket.connect(server.port, server.address)
  // After Node's own listener: a socket that could not be bound is not closed before that one has given it up.
  socket.on('error', () => settle(null))
  return promise
}
