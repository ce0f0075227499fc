import { Answer } from '@siarin/contracts/answers'
import { RENDITION_TEXTS } from '@siarin/contracts/rendition-texts'
import { OrderRenditionBody, RemoveRenditionQuery, RenditionAnswer } from '@siarin/contracts/videos'
import { z } from 'zod'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from './library.service.ts'

interface RenditionRoutesDeps {
  service: Pick<LibraryService, 'find' | 'renditions'>
  hooks: CallerHooks
}

const PATH = '/fitur/video/rendition/:filename'
const params = z.object({ filename: z.string() })
const tags = ['video']

export function renditionRoutes(app: App, { service, hooks }: RenditionRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession

  app.post(
    PATH,
    {
      schema: {
        summary: 'Make another version of a video: of a size, frame rate and bitrate, or one that fits a platform',
        tags,
        params,
        body: OrderRenditionBody,
        response: { 200: RenditionAnswer },
      },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      // A broadcast sends the version that fits its platform: who makes or deletes one changes what viewers see.
      await hooks.assertProved(request)
      const video = await service.find(callerOf(request), request.params.filename)
      const rendition = await service.renditions.order(video, request.body)
      const message = rendition.state === 'ready' ? RENDITION_TEXTS.ready : RENDITION_TEXTS.ordered
      return { success: true, message, rendition }
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        summary: 'Delete a version of a video, or make it no more',
        tags,
        params,
        querystring: RemoveRenditionQuery,
        response: { 200: Answer },
      },
      preValidation,
    },
    async (request) => {
      // A broadcast sends the version that fits its platform: who makes or deletes one changes what viewers see.
      await hooks.assertProved(request)
      const video = await service.find(callerOf(request), request.params.filename)
      await service.renditions.remove(video, request.query.recipe)
      return { success: true, message: RENDITION_TEXTS.removed }
    },
  )
}
