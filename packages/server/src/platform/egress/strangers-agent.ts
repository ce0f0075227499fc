import { Agent, type AgentOptions, type RequestOptions } from 'node:https'
import { Socket, type TcpSocketConnectOpts } from 'node:net'
import { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { nextStep } from '../small-steps.ts'
import { createListReader } from './certificate-list.ts'
import { STRANGERS_TLS } from './strangers-tls.ts'

/** All that comes before the connection is secure. Servers send 3 to 6 kB, seldom 10. */
const HANDSHAKE_MAX = 16 * 1024
/** OpenSSL checks each signature before it looks whether it trusts the chain, some milliseconds for the costliest keys. Servers send 2 to 5. */
const CERTIFICATES_MAX = 6
/** Who signs others has a large key or a cheap one: with 16,384 bits it takes more than this. A server's own names may take more. */
const ISSUER_MAX = 4_000

class HandshakeTooLongError extends Error {
  readonly code = 'ERR_TLS_HANDSHAKE_TOO_LONG'
}

/**
 * For every https call to a server of somebody else's choosing. OpenSSL takes 100 kB of certificates, and goes through all of them at once: what
 * comes is judged before it is handed on, and each piece waits for its turn, as many servers may let theirs go at one moment.
 */
export class StrangersAgent extends Agent {
  constructor(options: AgentOptions = {}) {
    super({ ...options, ...STRANGERS_TLS })
  }

  override createConnection(options: RequestOptions): TLSSocket {
    const raw = new Socket()
    // One that is not connected yet is read here, and not within Node.
    const secured = super.createConnection({ ...options, socket: raw } as RequestOptions) as TLSSocket
    judgeHandshake(raw, secured)
    // What Node does by itself where the connection is its own.
    if (options.timeout) secured.setTimeout(options.timeout)
    for (const name of ['ref', 'unref', 'setKeepAlive'] as const) {
      Object.assign(secured, { [name]: (...args: []) => Reflect.apply(raw[name], raw, args) && secured })
    }
    raw.setNoDelay(true)
    raw.connect({ ...options, port: Number(options.port) } as TcpSocketConnectOpts)
    return secured
  }
}

function judgeHandshake(raw: Socket, secured: TLSSocket): void {
  const refuse = () => secured.destroy(new HandshakeTooLongError('the server sends too long a handshake'))
  const readList = createListReader(([_own, ...issuers]) => {
    if (issuers.length >= CERTIFICATES_MAX || issuers.some((size) => size > ISSUER_MAX)) refuse()
  })
  const push = Readable.prototype.push.bind(raw)
  let left = HANDSHAKE_MAX
  let isSecure = false
  let waiting = 0
  let last = Promise.resolve()

  async function pushInTurn(read: Buffer | null): Promise<void> {
    await nextStep()
    waiting--
    if (!secured.destroyed) push(read)
    if (isSecure && waiting === 0) raw.push = Readable.prototype.push
  }

  secured.once('secureConnect', () => {
    isSecure = true
  })
  raw.push = (read: Buffer | null): boolean => {
    if (read && !isSecure) {
      left -= read.length
      readList(read)
      if (left < 0) refuse()
      if (secured.destroyed) return false
    }
    waiting++
    last = last.then(() => pushInTurn(read))
    return true
  }
}
