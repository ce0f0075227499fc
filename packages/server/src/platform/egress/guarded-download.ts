import { get as httpGet, type IncomingMessage } from 'node:http'
import { get as httpsGet } from 'node:https'
import { addAbortSignal } from 'node:stream'
import { parseAddress } from '@siarin/contracts/parse-address'
import { boundAnswer } from './bound-answer.ts'
import { EgressRefused, type Guard, lookupAmong } from './guard.ts'
import { StrangersAgent } from './strangers-agent.ts'

/** Why an address was not fetched. */
export class DownloadRefused extends Error {
  readonly why: 'forbidden' | 'unreachable' | 'status' | 'too-many-redirects'
  readonly status: number | null

  constructor(why: DownloadRefused['why'], status: number | null = null, cause?: unknown) {
    super(`download refused: ${why}`, { cause })
    this.why = why
    this.status = status
  }
}

export interface Download {
  readonly body: IncomingMessage
  /** Where it was found in the end: what it names is to be read from there. */
  readonly url: URL
  /** As the server announced it. */
  readonly sizeBytes: number | null
}

interface DownloadOptions {
  guard: Guard
  signal: AbortSignal
  idleMs?: number
  /** A part of it, as in the header of that name. The answer may still be the whole. */
  range?: string | undefined
}

const MAX_REDIRECTS = 5
const IDLE_MS = 30_000
/** A server that sends its head byte by byte is never idle. */
const HEAD_MS = 60_000

/** Fetches over http or https. Every hop of a redirect is judged like the first address. */
export async function openDownload(url: URL, options: DownloadOptions): Promise<Download> {
  let next = url.href
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const { at, addresses } = await judge(next, options.guard)
    const response = await request(at, addresses, options)
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400 && headers.location) {
      response.destroy()
      next = parseAddress(headers.location, at)?.href ?? ''
      continue
    }
    if (statusCode !== 200 && !(statusCode === 206 && options.range)) {
      response.destroy()
      throw new DownloadRefused('status', statusCode)
    }
    const length = Number(headers['content-length'])
    return { body: response, sizeBytes: Number.isSafeInteger(length) && length >= 0 ? length : null, url: at }
  }
  throw new DownloadRefused('too-many-redirects')
}

async function judge(address: string, guard: Guard): Promise<{ at: URL; addresses: readonly string[] }> {
  try {
    const at = guard.parse(address)
    return { at, addresses: await guard.resolve(at.hostname) }
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    throw new DownloadRefused(error.why === 'unknown-host' ? 'unreachable' : 'forbidden', null, error)
  }
}

function request(
  url: URL,
  addresses: readonly string[],
  { signal, idleMs = IDLE_MS, range }: DownloadOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const [fetcher, agent] = url.protocol === 'https:' ? [httpsGet, new StrangersAgent()] : [httpGet, false as const]
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Mozilla/5.0 (compatible; Siarin)',
      ...(range && { range }),
    }
    const call = fetcher(url, { headers, signal, agent, lookup: lookupAmong(addresses), timeout: idleMs })
    let body: IncomingMessage | null = null
    const giveUp = () => {
      const refusal = new DownloadRefused('unreachable')
      // Without a length that was said, the end of the connection alone would pass for the end of the body.
      body?.destroy(refusal)
      call.destroy(refusal)
    }
    const overdue = setTimeout(giveUp, HEAD_MS)
    call.once('timeout', giveUp)
    boundAnswer(call, giveUp)
    call.once('close', () => {
      clearTimeout(overdue)
      reject(new DownloadRefused('unreachable'))
    })
    call.once('response', (response) => {
      clearTimeout(overdue)
      body = response
      addAbortSignal(signal, response)
      // It may break before anyone reads: without a listener that would end the program. The reader still sees it destroyed.
      response.on('error', () => {})
      resolve(response)
    })
    call.once('error', (error) => {
      reject(
        error instanceof DownloadRefused || signal.aborted ? error : new DownloadRefused('unreachable', null, error),
      )
    })
  })
}
