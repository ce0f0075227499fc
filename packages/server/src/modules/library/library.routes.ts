import { basename, dirname } from 'node:path'
import fastifyMultipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import { Answer } from '@siarin/contracts/answers'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { VideoAnswer, VideoListAnswer } from '@siarin/contracts/videos'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { type CallerHooks, callerOf } from '../../http/caller.ts'
import type { App } from '../../http/types.ts'
import type { LibraryService } from './library.service.ts'

const UPLOAD_FIELD = 'video'
const byFilename = z.object({ filename: z.string() })

/** RFC 6266: an ASCII form for old clients and the true name in UTF-8. */
const inlineAs = (filename: string): string => {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const utf8 = encodeURIComponent(filename).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `inline; filename="${ascii}"; filename*=UTF-8''${utf8}`
}

/** Browsers write a quote in a multipart file name as %22. */
const asTyped = (filename: string): string => filename.replaceAll('%22', '"')

export const libraryRoutes = ({ service, hooks }: { service: LibraryService; hooks: CallerHooks }) =>
  async function routes(app: App): Promise<void> {
    await app.register(fastifyMultipart, { limits: { fileSize: Number.POSITIVE_INFINITY, files: 1, fields: 20 } })
    // Only for reply.sendFile (ranges, ETag, 416): no address of its own is served.
    await app.register(fastifyStatic, { root: '/', serve: false })

    app.get(
      '/fitur/video',
      {
        schema: { summary: 'Own videos, newest first', tags: ['video'], response: { 200: VideoListAnswer } },
        preValidation: hooks.requireApiKey,
      },
      async (request) => {
        const data = await service.list(callerOf(request))
        return { success: true, message: `${data.length} video`, data }
      },
    )

    app.get(
      '/fitur/video/:filename',
      {
        schema: { summary: 'One video, with byte ranges', tags: ['video'], params: byFilename },
        preValidation: hooks.requireApiKey,
      },
      async (request, reply) => {
        const video = await service.find(callerOf(request), request.params.filename)
        const path = await service.localPath(video)
        reply.header('Content-Disposition', inlineAs(video.filename))
        reply.header('Cache-Control', 'private, no-cache')
        return reply
          .type(video.content_type)
          .sendFile(basename(path), dirname(path), { cacheControl: false, contentType: false })
      },
    )

    app.post(
      '/fitur/video/upload',
      {
        schema: {
          summary: 'Upload a video (multipart, field video)',
          tags: ['video'],
          consumes: ['multipart/form-data'],
          response: { 200: VideoAnswer },
        },
        preValidation: hooks.requireApiKey,
      },
      async (request) => {
        const file = request.isMultipart() ? await request.file() : undefined
        if (!file || file.fieldname !== UPLOAD_FIELD || file.filename === '') {
          throw new DomainError('invalid_input', VIDEO_TEXTS.pickFile)
        }
        const data = await service.receive(callerOf(request), asTyped(file.filename), file.file)
        return { success: true, message: VIDEO_TEXTS.uploaded, data }
      },
    )

    app.delete(
      '/fitur/video/delete/:filename',
      {
        schema: { summary: 'Delete a video', tags: ['video'], params: byFilename, response: { 200: Answer } },
        preValidation: hooks.requireApiKey,
      },
      async (request) => {
        await service.remove(callerOf(request), request.params.filename)
        return { success: true, message: VIDEO_TEXTS.deleted }
      },
    )
  }
