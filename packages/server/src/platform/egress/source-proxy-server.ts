import http, { type IncomingMessage, type OutgoingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseAddress } from '@siarin/contracts/parse-address'
import { HEIGHT_HEADER, SHARE_HEADER, toProxied } from '@siarin/media/proxied-address'
import { onEachPart } from '../message-parts.ts'
import { literalAddress } from './address-guard.ts'
import { boundAnswer } from './bound-answer.ts'
import { EgressRefused, type Guard, judgingLookup } from './guard.ts'
import {
  fromProxied,
  isPlaylist,
  isTagged,
  linesIn,
  PLAYLIST_SIGN_BYTES,
  proxiedPlaylist,
  withoutPlaylist,
} from './proxied-playlist.ts'
import { createSourceShares, type Share, type ShareBounds } from './source-shares.ts'

/** Who asks for this is the program: its answer never ends, so that each side knows when the other is gone. */
export const HOLD_PATH = '/hold'

const IDLE_MS = 30_000
const MAX_HEAD_BYTES = 16 * 1024
const MAX_PLAYLIST_BYTES = 512 * 1024
const MAX_CONNECTIONS = 2_000
/** As many bytes of segments is each byte of a playlist: it is rewritten, and a source may have it asked for without a pause. */
const PLAYLIST_WEIGHT = 16
/** What a line of a playlist, a request and a part of a body count at least, however short they are. */
const LINE_BYTES = 400
const REQUEST_BYTES = 32 * 1024
/** What a request that needs a connection of its own counts beyond that: most of the work is for the name and the handshake of TLS. */
const CONNECTION_BYTES = 128 * 1024
const PART_BYTES = 512

/**
 * What concerns one connection only and is no business of the next one; and what changes how ffmpeg reads the body: it unpacks what
 * is packed and cuts titles out of internet radio, and a playlist that shows only then would not be known here.
 */
const HOP_BY_HOP =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|accept-encoding|content-encoding|icy-.*)$/

/** Headers have small letters here. */
const SHARE_NAME = SHARE_HEADER.toLowerCase()
const HEIGHT_NAME = HEIGHT_HEADER.toLowerCase()

const passedOn = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name)))

/**
 * A forward proxy for ffmpeg's HTTP sources: `GET http://…` and nothing else. Each address that ffmpeg comes upon, be it in a
 * playlist or a redirect, is judged like the first one, and connected to by an address that was judged.
 */
export function createProxyServer(guard: Guard, bounds?: ShareBounds): Server {
  const shares = createSourceShares(bounds)
  const lookup = judgingLookup(guard)

  async function forward(asked: IncomingMessage, answer: ServerResponse, share: Share): Promise<void> {
    await pay(share, REQUEST_BYTES)
    if (answer.destroyed) return
    const url = guard.parse(fromProxied(guard.parse(asked.url ?? '', ['http:'])).href)
    if (literalAddress(url.hostname)) await guard.resolve(url.hostname)
    const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
    const incoming = await ask(
      (protocol === 'https:' ? https : http).request,
      url,
      { answer, share },
      {
        method: asked.method ?? 'GET',
        headers: { ...passedOn(asked.headers), 'accept-encoding': 'identity' },
        agent: share.agents[protocol],
        lookup,
        timeout: IDLE_MS,
      },
    )
    const { 'content-encoding': packed = 'identity' } = incoming.headers
    if (packed.toLowerCase() !== 'identity') throw new Error('the source is packed, though it was asked not to be')
    const headers = passedOn(incoming.headers)
    const { location } = incoming.headers
    if (location) headers['location'] = toProxied(guard.parse(parseAddress(location, url)?.href ?? '').href)
    const maxHeight = Number(asked.headers[HEIGHT_NAME]) || undefined
    await passBack(incoming, answer, { headers, base: protocol, share, maxHeight })
  }

  const server = http.createServer({ maxHeaderSize: MAX_HEAD_BYTES, headersTimeout: IDLE_MS }, (asked, answer) => {
    if (asked.url === HOLD_PATH) {
      asked.socket.setTimeout(0)
      answer.writeHead(200).flushHeaders()
      return
    }
    if (asked.method !== 'GET' && asked.method !== 'HEAD') {
      refuse(answer, 405)
      return
    }
    const share = shares.join(asked.socket, asked.headers[SHARE_NAME]?.toString())
    if (share) forward(asked, answer, share).catch((error) => refuse(answer, statusOf(error)))
    else refuse(answer, 503)
  })
  server.on('connect', (_asked, socket) => socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n'))
  // Who reads slowly, as ffmpeg does at the pace of its video, is not idle.
  server.setTimeout(IDLE_MS, (socket) => {
    if (socket.writableLength === 0) socket.destroy()
  })
  server.maxConnections = MAX_CONNECTIONS
  return server
}

type Ask = (url: URL, options: https.RequestOptions) => http.ClientRequest

interface Asking {
  readonly answer: ServerResponse
  readonly share: Share
}

function ask(
  request: Ask,
  url: URL,
  { answer, share }: Asking,
  options: https.RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request(url, options)
    call.on('timeout', () => {
      if (!answer.writableNeedDrain) call.destroy(new Error('the source is silent'))
    })
    call.once('socket', () => call.reusedSocket || share.take(CONNECTION_BYTES))
    // All broadcasts read through this program: no source may keep it busy.
    boundAnswer(call, () => call.destroy(new Error('the source does not answer')), share.take)
    call.once('response', (incoming) => {
      // Its bytes are counted where they are read, several parts at a time.
      onEachPart(incoming, (bytes) => bytes < PART_BYTES && share.take(PART_BYTES - bytes))
      resolve(incoming)
    })
    call.on('error', reject)
    call.once('close', () => reject(new Error('the source does not answer')))
    answer.once('close', () => call.destroy())
    call.end()
  })
}

interface Passing {
  readonly headers: OutgoingHttpHeaders
  readonly base: string
  readonly share: Share
  readonly maxHeight: number | undefined
}

async function passBack(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { headers, base, share, maxHeight }: Passing,
): Promise<void> {
  const chunks = paced(incoming, share)
  const { bytes: start } = await take(chunks, PLAYLIST_SIGN_BYTES)
  if (isPlaylist(start)) {
    const { bytes, ended } = await take(chunks, MAX_PLAYLIST_BYTES, start)
    if (!ended) throw new Error('the playlist is too long')
    await pay(share, bytes.length * (PLAYLIST_WEIGHT - 1) + linesIn(bytes) * LINE_BYTES)
    if (answer.destroyed) return
    const text = proxiedPlaylist(bytes.toString('utf8'), base, maxHeight)
    // It is whole, whichever part was asked for: ffmpeg asks for all of it, from the first byte.
    const { 'content-range': _part, ...rest } = headers
    const status = incoming.statusCode === 206 ? 200 : (incoming.statusCode ?? 502)
    answer.writeHead(status, { ...rest, 'content-length': Buffer.byteLength(text) }).end(text)
    return
  }
  answer.writeHead(incoming.statusCode ?? 502, headers)
  const whole = async function* () {
    yield start
    yield* chunks
  }
  await pipeline(isTagged(start) ? withoutPlaylist(whole()) : whole, answer)
}

/** While it waits nothing more is read from the source, which then has to wait as well. */
async function* paced(chunks: AsyncIterable<Buffer>, share: Share): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    await pay(share, chunk.length)
    yield chunk
  }
}

async function pay(share: Share, bytes: number): Promise<void> {
  const waitMs = share.take(bytes)
  if (waitMs > 0) await sleep(waitMs)
}

/** Reads until there are this many bytes, or no more to come. */
async function take(chunks: AsyncIterator<Buffer>, atLeast: number, before: Buffer = Buffer.alloc(0)) {
  const parts = [before]
  for (let size = before.length; size < atLeast; ) {
    const { done, value } = await chunks.next()
    if (done) return { bytes: Buffer.concat(parts), ended: true }
    parts.push(value)
    size += value.length
  }
  return { bytes: Buffer.concat(parts), ended: false }
}

const statusOf = (error: unknown): number =>
  error instanceof EgressRefused && error.why !== 'unknown-host' ? 403 : 502

function refuse(answer: ServerResponse, status: number): void {
  if (answer.headersSent) answer.destroy()
  else answer.writeHead(status, { connection: 'close', 'content-length': 0 }).end()
}
