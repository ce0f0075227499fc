import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { RecordingPartQuery } from '@siarin/contracts/recordings'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { contentDisposition } from '../../http/content-disposition.ts'
import { goneSignal } from '../../http/gone-signal.ts'
import { createLimiter, RECORDING_LIMITS } from '../../http/rate-limits.ts'
import { sendStored } from '../../http/send-stored.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { Downloads } from './downloads.ts'
import type { Player } from './player.ts'
import type { RecordingsService } from './recordings.service.ts'

interface WatchRoutesDeps {
  service: RecordingsService
  player: Player
  downloads: Downloads
  hooks: Pick<CallerHooks, 'requireWatcher' | 'usedTicketOf'>
}

/** Who is let in, and how often. */
type WatchHooks = ((request: FastifyRequest) => Promise<void>)[]

const tags = ['recording']
const params = z.object({ id: z.string().max(100) })
const segmentParams = params.extend({ segment: z.string().regex(/^\d{1,6}\.ts$/) })
/** They have limits of their own. */
const config = { uncounted: true }

const keptPrivate = (reply: FastifyReply, seconds = 0): FastifyReply =>
  reply.header('Cache-Control', seconds > 0 ? `private, max-age=${seconds}` : 'private, no-cache')

/** What a player and a picture of a recording read, and the file that is had of it. */
export const watchRoutes = (deps: WatchRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    const limited = (name: keyof typeof RECORDING_LIMITS): WatchHooks => {
      const keyOf = (request: FastifyRequest): string => callerOf(request).workspaceId
      const limit = createLimiter(app, `recording-${name}`, RECORDING_LIMITS[name], keyOf, RECORDING_TEXTS.tooMany)
      return [deps.hooks.requireWatcher, limit]
    }
    pictureRoute(app, deps, limited('pictures'))
    listRoute(app, deps, limited('lists'))
    segmentRoute(app, deps, limited('segments'))
    fileRoute(app, deps, limited('files'))
  }

function pictureRoute(app: App, { service }: WatchRoutesDeps, preValidation: WatchHooks): void {
  app.get(
    '/fitur/recording/:id/picture',
    { schema: { summary: 'A picture of a recording', tags, params }, preValidation, config },
    async (request, reply) => {
      const picture = await service.picture(callerOf(request), request.params.id, goneSignal(reply))
      return sendStored(request, keptPrivate(reply).type('image/jpeg'), picture)
    },
  )
}

function listRoute(app: App, { service, player, hooks }: WatchRoutesDeps, preValidation: WatchHooks): void {
  app.get(
    '/fitur/recording/:id/index.m3u8',
    { schema: { summary: 'A recording for players (HLS)', tags, params }, preValidation, config },
    async (request, reply) => {
      const row = await service.ownRow(callerOf(request), request.params.id)
      keptPrivate(reply).type('application/vnd.apple.mpegurl')
      if (request.method === 'HEAD') return reply.send('')
      // A player that was let in by a ticket has nothing else for what the list names.
      const ticket = hooks.usedTicketOf(request)
      const query = ticket === null ? '' : `?ticket=${encodeURIComponent(ticket)}`
      return reply.send(await player.listOf(row, query, goneSignal(reply)))
    },
  )
}

function segmentRoute(app: App, { service, player }: WatchRoutesDeps, preValidation: WatchHooks): void {
  app.get(
    '/fitur/recording/:id/segment/:segment',
    { schema: { summary: 'A piece of a recording (MPEG-TS)', tags, params: segmentParams }, preValidation, config },
    async (request, reply) => {
      const { id, segment } = request.params
      const row = await service.ownRow(callerOf(request), id)
      const found = await player.segmentOf(
        row,
        Number.parseInt(segment, 10),
        request.method === 'HEAD',
        goneSignal(reply),
      )
      keptPrivate(reply, 3600).type('video/mp2t')
      if (found.kind === 'file') return sendStored(request, reply, found.file)
      return reply.send(found.body ?? '')
    },
  )
}

function fileRoute(app: App, { service, downloads }: WatchRoutesDeps, preValidation: WatchHooks): void {
  app.get(
    '/fitur/recording/:id/file',
    {
      schema: {
        summary: 'A recording, or a part of it, as a file; an interrupted download can be resumed',
        tags,
        params,
        querystring: RecordingPartQuery,
      },
      preValidation,
      config,
    },
    async (request, reply) => {
      const signal = goneSignal(reply)
      const { row, joined, name } = await service.file(callerOf(request), request.params.id, request.query, signal)
      keptPrivate(reply)
        .type(joined.extension === 'mp4' ? 'video/mp4' : 'video/mp2t')
        .header('Content-Disposition', contentDisposition('attachment', name))
      const isPart = request.headers.range !== undefined
      const file = await downloads.storedAs(row, joined, {
        ...{ mustCount: isPart && request.method !== 'HEAD', signal },
      })
      if (file) return sendStored(request, reply, file)
      reply.headers({ ETag: joined.etag, 'Accept-Ranges': 'bytes' })
      if (request.method === 'HEAD') return reply.send('')
      return reply.send(await downloads.bodyOf(row, joined, { signal }))
    },
  )
}
