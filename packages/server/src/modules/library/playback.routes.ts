import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { contentDisposition } from '../../http/content-disposition.ts'
import { sendStored } from '../../http/send-stored.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from './library.service.ts'

interface PlaybackRoutesDeps {
  service: Pick<LibraryService, 'find' | 'playable' | 'thumbnail'>
  hooks: Pick<CallerHooks, 'requireWatcher'>
}

const byFilename = z.object({ filename: z.string() })

const keptPrivate = (reply: FastifyReply): FastifyReply => reply.header('Cache-Control', 'private, no-cache')

/** What a player and a picture of a video read. */
export function playbackRoutes(app: App, { service, hooks }: PlaybackRoutesDeps): void {
  app.get(
    '/fitur/video/:filename',
    {
      schema: { summary: 'One video, with byte ranges', tags: ['video'], params: byFilename },
      preValidation: hooks.requireWatcher,
      config: { uncounted: true },
    },
    async (request, reply) => {
      const video = await service.find(callerOf(request), request.params.filename)
      const file = await service.playable(video)
      keptPrivate(reply)
        .type(file.contentType)
        .header('Content-Disposition', contentDisposition('inline', video.filename))
      return sendStored(request, reply, file)
    },
  )

  app.get(
    '/fitur/video/:filename/thumbnail',
    {
      schema: { summary: 'A picture of the video', tags: ['video'], params: byFilename },
      preValidation: hooks.requireWatcher,
      config: { uncounted: true },
    },
    async (request, reply) => {
      const video = await service.find(callerOf(request), request.params.filename)
      const picture = await service.thumbnail(video)
      return sendStored(request, keptPrivate(reply).type('image/jpeg'), picture)
    },
  )
}
