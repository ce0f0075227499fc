import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { boundAnswer } from './bound-answer.ts'
import { EgressRefused, type Guard, lookupAmong } from './guard.ts'
import { StrangersAgent } from './strangers-agent.ts'

export interface SmallCall {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: string | Buffer
  /** Ends the call, wherever it is. */
  readonly signal: AbortSignal
  /** What is more of the answer is not read. */
  readonly mostBytes: number
}

export interface SmallAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The answer was longer than what was read. */
  readonly isCut: boolean
}

/** No answer. `code` says why in a word; nothing of the address stands in it. */
export class CallFailed extends Error {
  readonly code: string

  constructor(code: string) {
    super(`call failed: ${code}`)
    this.code = code
  }
}

/** A head that comes byte by byte is bounded by the signal alone; its size by Node. */
const USER_AGENT = 'Siarin'

/**
 * One request with a short answer. A redirect is an answer and is not followed. `guard` judges where the address leads, and only that is
 * connected to; null for an address that the operator has set. Throws `EgressRefused` or `CallFailed`, never the address.
 */
export async function smallCall(url: URL, guard: Guard | null, call: SmallCall): Promise<SmallAnswer> {
  if (call.signal.aborted) throw new CallFailed('timeout')
  const addresses = guard ? await withEnd(judged(url, guard), call.signal) : null
  return send(url, addresses, call)
}

async function judged(url: URL, guard: Guard): Promise<readonly string[]> {
  guard.parse(url.href)
  return guard.resolve(url.hostname)
}

function withEnd<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new CallFailed('timeout'))
    signal.addEventListener('abort', giveUp, { once: true })
    work
      .then(resolve, (error) => reject(error instanceof EgressRefused ? error : new CallFailed('lookup')))
      .finally(() => signal.removeEventListener('abort', giveUp))
  })
}

function send(url: URL, addresses: readonly string[] | null, call: SmallCall): Promise<SmallAnswer> {
  const { method, headers = {}, body, signal, mostBytes } = call
  return new Promise((resolve, reject) => {
    const [begin, agent] =
      url.protocol === 'https:' ? [httpsRequest, new StrangersAgent()] : [httpRequest, false as const]
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing: ClientRequest = begin(url, {
      method,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': USER_AGENT, ...length, ...headers },
      agent,
      signal,
      ...(addresses && { lookup: lookupAmong(addresses) }),
    })
    const fail = (error?: unknown) => {
      const code = signal.aborted ? 'timeout' : ((error as NodeJS.ErrnoException | undefined)?.code ?? 'closed')
      reject(new CallFailed(code))
    }
    boundAnswer(outgoing, () => outgoing.destroy())
    outgoing.once('error', fail)
    outgoing.once('close', () => fail())
    outgoing.once('response', (response) => readSome(response, mostBytes).then(resolve, fail))
    outgoing.end(body)
  })
}

function readSome(response: IncomingMessage, mostBytes: number): Promise<SmallAnswer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const done = (isCut: boolean) => {
      const text = Buffer.concat(pieces).subarray(0, mostBytes).toString('utf8')
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, isCut })
    }
    response.on('data', (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size <= mostBytes) return
      done(true)
      response.destroy()
    })
    response.once('end', () => done(false))
    response.once('error', reject)
    response.once('close', () => reject(new CallFailed('closed')))
  })
}
