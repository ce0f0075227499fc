import { Readable } from 'node:stream'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Download, Egress } from '../../platform/egress/egress.ts'
import { createFairTurns, TooManyWaitError } from '../../platform/fair-turns.ts'
import type { Timings } from '../../platform/timings.ts'
import { toBody } from '../../platform/to-body.ts'
import type { Caller } from '../identity/caller.ts'
import { isMedia, SIGNATURE_BYTES } from './media-signature.ts'
import { PREVIEW_ROOT, type PreviewTickets, type Ticket } from './preview-tickets.ts'
import { readBounded } from './read-bounded.ts'
import { isPlaylist, PLAYLIST_MAX_BYTES, rewritePlaylist, type ToPath } from './rewrite-playlist.ts'
import { sourceFault } from './source-faults.ts'

export interface PreviewProxy {
  /** Whose ticket it is, if it still counts. */
  admit(sealed: string): Ticket
  serve(ticket: Ticket, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

interface PreviewProxyDeps {
  tickets: PreviewTickets
  egress: Pick<Egress, 'open'>
  clock: Clock
  /** Refuses a caller whose access has been stopped: a ticket alone would count for its hour. */
  assertAccess: (caller: Pick<Caller, 'userId'>) => Promise<void>
  keyMarkOf: (userId: string) => Promise<string | null>
  timings: Pick<Timings, 'previewLeaveMs' | 'previewHeadMs' | 'previewStallMs'>
}

const PART_MAX_BYTES = 64 * 1024 ** 2
const IDLE_MS = 15_000
const AT_ONCE_PER_USER = 8
/** A key to encrypted parts is no media, and has this length. */
const KEY_BYTES = 16
/** Long playlists are work: one at a time, the users in turn. */
const REWRITES = { atOnce: 1, mostWaiting: 200, mostWaitingEach: AT_ONCE_PER_USER }
const PIECE_BYTES = 64 * 1024
const NOWHERE = `${PREVIEW_ROOT}/-/-`

const RANGE = /^bytes=(?:\d+-\d*|-\d+)$/
/** What a browser plays or a player reads, and never what it would run. */
const MEDIA_TYPE = /^(?:(?:video|audio)\/[\w.+-]+|application\/mp4|text\/vtt)$/
/** With these a player asks for the next part of a playlist before it is there. */
const PLAYLIST_QUERIES = ['_HLS_msn', '_HLS_part', '_HLS_skip']

const ended = () => new DomainError('preview_ended', ONLINE_TEXTS.previewEnded)
const notMedia = () => new DomainError('unsupported_media_type', ONLINE_TEXTS.previewNotMedia)
const tooMany = () => new DomainError('rate_limited', ONLINE_TEXTS.tooMany, { retryAfterSeconds: 1 })
const tooBig = () => new DomainError('payload_too_large', ONLINE_TEXTS.previewTooBig)

/** Shows a foreign source to a browser that its host would not let read it. Serves only what a ticket of ours names. */
export function createPreviewProxy(deps: PreviewProxyDeps): PreviewProxy {
  const { tickets, egress, clock, assertAccess, keyMarkOf } = deps
  const enter = createPlaces()
  const inTurn = createFairTurns(REWRITES)

  /** What may have changed since the ticket was made. */
  async function assertMayWatch(ticket: Ticket): Promise<void> {
    await assertAccess(ticket)
    if ((await keyMarkOf(ticket.userId)) !== ticket.keyMark) throw ended()
  }

  async function sendPlaylist(
    ticket: Ticket,
    base: URL,
    bytes: Buffer | null,
    reply: FastifyReply,
    signal: AbortSignal,
  ) {
    const toPath: ToPath = (url, kind) => (url ? tickets.path({ ...ticket, url }, kind) : NOWHERE)
    const rewrite = async () => bytes && rewritePlaylist(bytes.toString('utf8'), base, toPath, signal)
    const playlist = await inTurn(ticket.userId, rewrite, { signal }).catch((error) => {
      throw error instanceof TooManyWaitError ? tooMany() : error
    })
    if (!playlist) throw tooBig()
    const written = Buffer.from(playlist)
    reply.header('Cache-Control', 'no-store').header('Content-Length', written.length)
    const body = toBody(inPieces(written), { stallMs: deps.timings.previewStallMs, highWaterMark: PIECE_BYTES })
    return reply.type('application/vnd.apple.mpegurl').send(body)
  }

  return {
    admit(sealed) {
      const ticket = tickets.read(sealed)
      if (!ticket) throw new DomainError('not_found', ONLINE_TEXTS.notFound)
      if (ticket.expiresAt < clock.now()) throw ended()
      return ticket
    },

    async serve(ticket, request, reply) {
      await assertMayWatch(ticket)
      // A connection that is gone would never tell its end, and the place would stay taken.
      if (request.raw.socket.destroyed) throw new DomainError('source_unreachable', ONLINE_TEXTS.urlUnreachable)
      const leave = enter(ticket.userId)
      // A source may take as long as it likes: meanwhile neither its account nor anybody at this address is to wait for a place.
      request.leavePlace?.()
      const gone = new AbortController()
      const overdue = setTimeout(() => gone.abort(), deps.timings.previewHeadMs)
      // A part may take as long as its host likes.
      const asking = setInterval(() => {
        assertMayWatch(ticket).catch((error) => {
          if (error instanceof DomainError) reply.raw.destroy()
        })
      }, deps.timings.previewLeaveMs)
      reply.raw.once('close', () => {
        clearInterval(asking)
        clearTimeout(overdue)
        leave()
        gone.abort()
      })
      // Whatever comes from elsewhere is media, and nothing that a page could be made of.
      reply.header('Content-Security-Policy', "sandbox; default-src 'none'")
      try {
        const range = RANGE.exec(request.headers.range ?? '')?.[0]
        const download = await egress.open(withPlaylistQuery(ticket.url, request), {
          signal: gone.signal,
          idleMs: IDLE_MS,
          range,
        })
        if ((download.sizeBytes ?? 0) > PART_MAX_BYTES) throw tooBig()
        const { head, body } = await peek(download.body, SIGNATURE_BYTES)
        if (isPlaylist(head)) {
          const bytes = await readBounded(body, PLAYLIST_MAX_BYTES)
          clearTimeout(overdue)
          return await sendPlaylist(ticket, download.url, bytes, reply, gone.signal)
        }
        if (!isMedia(head) && head.length !== KEY_BYTES) {
          download.body.destroy()
          throw notMedia()
        }
        clearTimeout(overdue)
        return sendPart(download, body, reply)
      } catch (error) {
        throw sourceFault(error)
      }
    },
  }
}

/** How many a user may read at once. The answer leaves the place. */
function createPlaces(): (userId: string) => () => void {
  const open = new Map<string, number>()
  return (userId: string): (() => void) => {
    const count = open.get(userId) ?? 0
    if (count >= AT_ONCE_PER_USER) throw tooMany()
    open.set(userId, count + 1)
    return () => {
      const left = (open.get(userId) ?? 1) - 1
      if (left > 0) open.set(userId, left)
      else open.delete(userId)
    }
  }
}

function sendPart(
  { body: { statusCode = 200, headers }, sizeBytes }: Download,
  body: AsyncIterable<Uint8Array>,
  reply: FastifyReply,
) {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  reply.code(statusCode).header('Cache-Control', 'private, max-age=60')
  reply.type(MEDIA_TYPE.test(type) ? type : 'application/octet-stream')
  if (sizeBytes !== null) reply.header('Content-Length', sizeBytes)
  for (const name of ['content-range', 'accept-ranges']) if (headers[name]) reply.header(name, headers[name])
  return reply.send(Readable.from(bounded(body, PART_MAX_BYTES), { objectMode: false }))
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

function withPlaylistQuery(address: URL, request: FastifyRequest): URL {
  const url = new URL(address)
  const asked = request.query as Record<string, unknown>
  for (const name of PLAYLIST_QUERIES) {
    const value = asked[name]
    if (typeof value === 'string' && /^(?:\d{1,15}|YES|v2)$/.test(value)) url.searchParams.set(name, value)
  }
  return url
}

/** The first bytes, and the whole as it would have come without the look. */
async function peek(source: Readable, bytes: number): Promise<{ head: Buffer; body: AsyncIterable<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const first: Uint8Array[] = []
  let length = 0
  while (length < bytes) {
    const { value, done } = await chunks.next()
    if (done) break
    first.push(value)
    length += value.length
  }
  const head = Buffer.concat(first)
  return {
    head,
    body: {
      async *[Symbol.asyncIterator]() {
        try {
          if (head.length > 0) yield head
          for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
        } finally {
          source.destroy()
        }
      },
    },
  }
}

/** Where the length was not announced it shows only on the way; the answer is then cut off. */
async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error('a part of a preview is too long')
    yield chunk
  }
}
