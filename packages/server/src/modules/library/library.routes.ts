import { Answer } from '@siarin/contracts/answers'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { ImportVideoBody, VideoAnswer, VideoListAnswer, VideoListQuery } from '@siarin/contracts/videos'
import { z } from 'zod'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from './library.service.ts'
import { playbackRoutes } from './playback.routes.ts'
import { renditionRoutes } from './rendition.routes.ts'
import { resumableRoutes } from './resumable/resumable.routes.ts'
import type { ResumableUploads } from './resumable/resumable-uploads.ts'
import { uploadRoute } from './upload.routes.ts'

interface LibraryRoutesDeps {
  service: LibraryService
  resumable: ResumableUploads
  hooks: CallerHooks
}

const byFilename = z.object({ filename: z.string() })

export const libraryRoutes = (deps: LibraryRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    listRoute(app, deps)
    playbackRoutes(app, deps)
    uploadRoute(app, deps)
    changeRoutes(app, deps)
    renditionRoutes(app, deps)
    resumableRoutes(app, deps)
  }

function listRoute(app: App, { service, hooks }: LibraryRoutesDeps): void {
  app.get(
    '/fitur/video',
    {
      schema: {
        summary: 'Own videos, newest first',
        tags: ['video'],
        querystring: VideoListQuery,
        response: { 200: VideoListAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      const page = await service.page(callerOf(request), request.query)
      return { success: true, message: `${page.data.length} video`, ...page }
    },
  )
}

/** What is done with a video by its name, or by the address that it comes from. */
function changeRoutes(app: App, { service, hooks }: LibraryRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession

  app.post(
    '/fitur/video/import',
    {
      schema: {
        summary: 'Fetch a video from an address',
        tags: ['video'],
        body: ImportVideoBody,
        response: { 200: VideoAnswer },
      },
      preValidation,
    },
    async (request) => {
      const data = await service.importFrom(callerOf(request), request.body.url)
      return { success: true, message: VIDEO_TEXTS.importStarted, data }
    },
  )

  app.post(
    '/fitur/video/retry/:filename',
    {
      schema: {
        summary: 'Prepare a video again: a failed one, or one that the plan allows to be more',
        tags: ['video'],
        params: byFilename,
        response: { 200: Answer },
      },
      preValidation,
    },
    async (request) => {
      return { success: true, message: await service.retry(callerOf(request), request.params.filename) }
    },
  )

  app.delete(
    '/fitur/video/delete/:filename',
    {
      schema: { summary: 'Delete a video', tags: ['video'], params: byFilename, response: { 200: Answer } },
      preValidation,
    },
    async (request) => {
      await service.remove(callerOf(request), request.params.filename)
      return { success: true, message: VIDEO_TEXTS.deleted }
    },
  )
}
