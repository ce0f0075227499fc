import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { get as httpsGet } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from './address-guard.ts'

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
  allowPrivateNetwork: boolean
  signal: AbortSignal
  idleMs?: number
  /** A part of it, as in the header of that name. The answer may still be the whole. */
  range?: string | undefined
}

const MAX_REDIRECTS = 5
const IDLE_MS = 30_000

/** The address that was judged is the one that is connected to: nothing can change between the look and the use. */
const publicOnly: LookupFunction = (host, options, answer) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return answer(error, '', 0)
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return answer(new DownloadRefused('forbidden'), '', 0)
    const [first] = addresses
    if (options.all) return (answer as unknown as (e: null, a: LookupAddress[]) => void)(null, addresses)
    answer(null, first?.address ?? '', first?.family ?? 4)
  })
}

/** Fetches over http or https. Every hop of a redirect is judged like the first address. */
export async function openDownload(url: URL, options: DownloadOptions): Promise<Download> {
  let next = url
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await request(next, options)
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400 && headers.location) {
      response.destroy()
      const target = URL.parse(headers.location, next.href)
      if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) {
        throw new DownloadRefused('forbidden')
      }
      next = target
      continue
    }
    if (statusCode !== 200 && !(statusCode === 206 && options.range)) {
      response.destroy()
      throw new DownloadRefused('status', statusCode)
    }
    const length = Number(headers['content-length'])
    return { body: response, url: next, sizeBytes: Number.isSafeInteger(length) && length >= 0 ? length : null }
  }
  throw new DownloadRefused('too-many-redirects')
}

function request(
  url: URL,
  { allowPrivateNetwork, signal, idleMs = IDLE_MS, range }: DownloadOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // `lookup` is not asked about addresses that are written as numbers.
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (!allowPrivateNetwork && ipaddr.isValid(literal) && !isPublicAddress(literal)) {
      reject(new DownloadRefused('forbidden'))
      return
    }
    const fetcher = url.protocol === 'https:' ? httpsGet : httpGet
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Mozilla/5.0 (compatible; Siarin)',
      ...(range && { range }),
    }
    const call = fetcher(url, { headers, signal, agent: false, ...(allowPrivateNetwork ? {} : { lookup: publicOnly }) })
    call.setTimeout(idleMs, () => call.destroy(new DownloadRefused('unreachable')))
    call.once('response', (response) => {
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
