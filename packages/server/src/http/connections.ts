import type { Socket } from 'node:net'
import { GENERAL_TEXTS } from '@siarin/contracts/texts'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../errors.ts'
import { steadyMs } from '../platform/clock.ts'
import { addressKey } from './address-key.ts'
import { type ConnectionLimits, chooseToGo, type Held } from './connection-rules.ts'
import { STATUS } from './error-answers.ts'
import { rawAnswer } from './raw-answer.ts'

interface Connection extends Held {
  /** How many of its requests are being answered: a caller may send the next before it has read the last answer. */
  serving: number
  readonly cut: () => void
  /** Sees whether an answer moves. */
  readonly checkStill: (now: number) => void
}

interface Deps {
  readonly limits: ConnectionLimits
  readonly isProxy: (address: string) => boolean
  readonly stillMs?: number
}

const COME_BACK_AFTER_SECONDS = 5
/** An answer that nobody reads for so long has to go before others are refused: a paused player asks for the rest when it goes on. */
const STILL_MS = 15_000

const busyAnswer = (): string =>
  rawAnswer(
    STATUS.server_busy,
    { code: 'server_busy', message: GENERAL_TEXTS.id.serverBusy },
    { headers: [`Retry-After: ${COME_BACK_AFTER_SECONDS}`] },
  )

/** The connections that there are, in all and of each address. */
function createHeldConnections(limits: ConnectionLimits, stillMs: number) {
  const byAddress = new Map<string, Set<Connection>>()
  const bySocket = new WeakMap<Socket, Connection>()
  let total = 0

  function enter(socket: Socket, key: string, own: Set<Connection>): void {
    const leave = (): void => {
      if (!own.delete(connection)) return
      total--
      if (own.size === 0) byAddress.delete(key)
    }
    // Counted out at once: if many come in one moment, each has to find another one that goes.
    const cut = (): void => {
      leave()
      socket.destroy()
    }
    let written = 0
    let movedAt = steadyMs()
    let isStill = false
    const connection: Connection = {
      serving: 0,
      get served() {
        return this.serving > 0 && !isStill
      },
      cut,
      checkStill(now) {
        if (socket.writableLength === 0 || socket.bytesWritten !== written) movedAt = now
        written = socket.bytesWritten
        isStill = now - movedAt >= stillMs
      },
    }
    byAddress.set(key, own.add(connection))
    bySocket.set(socket, connection)
    total++
    socket.once('close', leave)
  }

  /** False: nothing can be spared for the one that comes. */
  function makeRoom(own: ReadonlySet<Connection>, proxied: boolean): boolean {
    const crowded = !proxied && own.size >= limits.perAddress
    if (!crowded && total < limits.total) return true
    const goes = chooseToGo(crowded ? [own] : byAddress.values())
    goes?.cut()
    return goes !== null
  }

  return {
    of: (socket: Socket): Connection | undefined => bySocket.get(socket),
    /** False: there is no room for it. */
    admit(socket: Socket, key: string, proxied: boolean): boolean {
      const own = byAddress.get(key) ?? new Set<Connection>()
      if (!makeRoom(own, proxied)) return false
      enter(socket, key, own)
      return true
    },
    checkStill(now: number): void {
      for (const own of byAddress.values()) for (const connection of own) connection.checkStill(now)
    },
  }
}

/** What a trusted proxy brings counts for the address behind it, by the requests that are under way. */
function limitProxiedRequests(app: FastifyInstance, { limits, isProxy }: Deps): void {
  const underWay = new Map<string, number>()

  app.addHook('onRequest', (request, reply, done) => {
    if (!isProxy(request.socket.remoteAddress ?? '')) return done()
    const key = addressKey(request.ip)
    const count = (underWay.get(key) ?? 0) + 1
    if (count > limits.perAddress) {
      const retryAfterSeconds = COME_BACK_AFTER_SECONDS
      return done(new DomainError('server_busy', GENERAL_TEXTS.id.serverBusy, { retryAfterSeconds }))
    }
    underWay.set(key, count)
    reply.raw.once('close', () => {
      const left = (underWay.get(key) ?? 1) - 1
      if (left > 0) underWay.set(key, left)
      else underWay.delete(key)
    })
    done()
  })
}

/**
 * Fewer connections than there are files, and a part of them for each address. Those of a trusted proxy are many people's: they count in all,
 * and what counts for an address is how many of its requests are under way.
 */
export function limitConnections(app: FastifyInstance, deps: Deps): void {
  const { limits, isProxy, stillMs = STILL_MS } = deps
  const held = createHeldConnections(limits, stillMs)

  const checking = setInterval(() => held.checkStill(steadyMs()), stillMs / 3)
  checking.unref()
  app.addHook('onClose', async () => clearInterval(checking))

  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const proxied = isProxy(address)
    const key = proxied ? 'proxy' : addressKey(address)
    if (held.admit(socket, key, proxied)) return
    socket.end(busyAnswer(), () => socket.destroy())
  })

  // Here the body of a call has come, and an upload is let in: from here on somebody is being served.
  app.addHook('preHandler', (request, reply, done) => {
    const connection = held.of(request.raw.socket)
    if (!connection) return done()
    connection.serving++
    reply.raw.once('close', () => connection.serving--)
    done()
  })

  limitProxiedRequests(app, deps)
}
