import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { literalAddress } from './address-guard.ts'
import { boundAnswer } from './bound-answer.ts'
import { EgressRefused, type Guard, judgingLookup } from './guard.ts'
import { StrangersAgent } from './strangers-agent.ts'

/** Why there was no answer. */
export class PostFailed extends Error {
  readonly why: 'timed-out' | 'unreachable' | 'tls-failed'

  constructor(why: PostFailed['why'], cause?: unknown) {
    super(`post failed: ${why}`, { cause })
    this.why = why
  }
}

interface PostAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** No more than was asked for. */
  readonly text: string
}

interface PostOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Until its head is here. */
  readonly timeoutMs: number
  readonly mostBytes: number
  readonly signal: AbortSignal
}

export type Post = (url: URL, options: PostOptions) => Promise<PostAnswer>

const KEPT_FREE = 4
/** From the head on. What the answer is it says there: one that drips its body must not hold a place for longer. */
const BODY_MS = 1_000
const KEPT_MS = 20_000
const TLS_FAULT = /^ERR_(TLS|SSL)_|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|^EPROTO$/

/**
 * Sends over http or https and follows nothing. Connections are kept for the next call. An address is judged where a connection is made
 * to it, so a name that changes its mind in between gets nowhere.
 */
export function createPost(guard: Guard): Post {
  const kept = { keepAlive: true, maxFreeSockets: KEPT_FREE, timeout: KEPT_MS, lookup: judgingLookup(guard) }
  const agents = { 'http:': new HttpAgent(kept), 'https:': new StrangersAgent(kept) }

  async function once(url: URL, options: PostOptions): Promise<PostAnswer | 'stale'> {
    const at = guard.parse(url.href)
    // Nobody looks up what is written as a number.
    if (literalAddress(at.hostname)) await guard.resolve(at.hostname)
    return send(at, agents[at.protocol === 'https:' ? 'https:' : 'http:'], options)
  }

  return async (url, options) => {
    const until = performance.now() + options.timeoutMs
    for (let tries = 0; tries <= KEPT_FREE; tries++) {
      const timeoutMs = until - performance.now()
      if (timeoutMs <= 0) throw new PostFailed('timed-out')
      const answer = await once(url, { ...options, timeoutMs })
      if (answer !== 'stale') return answer
    }
    throw new PostFailed('unreachable')
  }
}

/** 'stale': a kept connection, which the other side had closed meanwhile. */
function send(url: URL, agent: HttpAgent, options: PostOptions): Promise<PostAnswer | 'stale'> {
  const { body, timeoutMs, mostBytes, signal } = options
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const headers = { ...options.headers, 'content-length': String(Buffer.byteLength(body)), accept: '*/*' }
    const call = request(url, { method: 'POST', headers: { ...headers, 'accept-encoding': 'identity' }, agent, signal })
    let settleAnswer: (() => void) | null = null
    const end = (why: PostFailed['why']): void => {
      settleAnswer?.()
      call.destroy(new PostFailed(why))
    }
    let overdue = setTimeout(end, timeoutMs, 'timed-out')
    boundAnswer(call, () => end('unreachable'))
    call.once('response', (response) => {
      clearTimeout(overdue)
      overdue = setTimeout(end, BODY_MS, 'timed-out')
      settleAnswer = readAnswer(response, mostBytes, (text) => {
        clearTimeout(overdue)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    call.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(overdue)
      if (signal.aborted) reject(error)
      else if (call.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve('stale')
      else reject(toFailure(error))
    })
    // After an answer or an error it changes nothing.
    call.once('close', () => {
      clearTimeout(overdue)
      settleAnswer?.()
      reject(new PostFailed('unreachable'))
    })
    call.end(body)
  })
}

/** Once the head is here it is an answer, also where the rest is cut off, too long or too slow. Answers what settles it early. */
function readAnswer(response: IncomingMessage, mostBytes: number, settle: (text: string) => void): () => void {
  const pieces: Buffer[] = []
  let bytes = 0
  const done = () => settle(Buffer.concat(pieces).subarray(0, mostBytes).toString('utf8'))
  response.on('data', (piece: Buffer) => {
    pieces.push(piece)
    bytes += piece.length
    if (bytes < mostBytes) return
    done()
    if (!response.complete) response.destroy()
  })
  response.once('end', done)
  response.once('close', done)
  response.on('error', () => {})
  return done
}

function toFailure(error: NodeJS.ErrnoException): Error {
  if (error instanceof EgressRefused || error instanceof PostFailed) return error
  return new PostFailed(TLS_FAULT.test(error.code ?? '') ? 'tls-failed' : 'unreachable', error)
}
