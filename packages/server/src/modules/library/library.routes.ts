import fastifyMultipart, { type MultipartFile } from '@fastify/multipart'
import { Answer } from '@siarin/contracts/answers'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { ImportVideoBody, RESUMABLE_UPLOAD_PATH, VideoAnswer, VideoListAnswer } from '@siarin/contracts/videos'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { sendStored } from '../../http/send-stored.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from './library.service.ts'
import type { ResumableUploads } from './resumable-uploads.ts'

interface LibraryRoutesDeps {
  service: LibraryService
  resumable: ResumableUploads
  hooks: CallerHooks
}

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

/** What the form parser says of a body that is no form, or only the beginning of one. */
const isBrokenForm = (error: unknown): boolean =>
  error instanceof Error && /multipart|boundary|needle|unexpected end|terminated early|malformed/i.test(error.message)

/** Of a part without headers the form parser never says anything. */
const PARSER_SILENCE_MS = 1_000

async function firstFile(request: FastifyRequest): Promise<MultipartFile | undefined> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    request.raw.once('end', () => {
      timer = setTimeout(() => reject(new Error('malformed multipart: no part in the whole body')), PARSER_SILENCE_MS)
    })
  })
  try {
    return await Promise.race([request.file(), silence])
  } finally {
    clearTimeout(timer)
  }
}

/** How much the caller says will come; the form around the file is a few hundred bytes of it. */
const announcedBytes = (request: FastifyRequest): number | null => {
  const length = Number(request.headers['content-length'])
  return Number.isSafeInteger(length) ? length : null
}

const keptPrivate = (reply: FastifyReply): FastifyReply => reply.header('Cache-Control', 'private, no-cache')

export const libraryRoutes = ({ service, resumable, hooks }: LibraryRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    await app.register(fastifyMultipart, { limits: { fileSize: Number.POSITIVE_INFINITY, files: 1, fields: 20 } })
    const preValidation = hooks.requireKeyOrSession

    app.get(
      '/fitur/video',
      {
        schema: { summary: 'Own videos, newest first', tags: ['video'], response: { 200: VideoListAnswer } },
        preValidation,
      },
      async (request) => {
        const { videos: data, storage } = await service.list(callerOf(request))
        return { success: true, message: `${data.length} video`, data, storage }
      },
    )

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
        keptPrivate(reply).type(file.contentType).header('Content-Disposition', inlineAs(video.filename))
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

    app.post(
      '/fitur/video/upload',
      {
        schema: {
          summary: 'Upload a video (multipart, field video)',
          tags: ['video'],
          consumes: ['multipart/form-data'],
          response: { 200: VideoAnswer },
        },
        preValidation,
        config: { upload: true },
      },
      async (request) => {
        try {
          const file = request.isMultipart() ? await firstFile(request) : undefined
          if (!file || file.fieldname !== UPLOAD_FIELD || file.filename === '') {
            throw new DomainError('invalid_input', VIDEO_TEXTS.pickFile)
          }
          const caller = callerOf(request)
          const data = await service.receive(caller, asTyped(file.filename), announcedBytes(request), file.file)
          return { success: true, message: VIDEO_TEXTS.uploaded, data }
        } catch (error) {
          // The rest of the body has to go somewhere, or the next request on this connection waits for ever.
          request.raw.unpipe()
          request.raw.resume()
          throw isBrokenForm(error) ? new DomainError('invalid_input', VIDEO_TEXTS.cutOff, { cause: error }) : error
        }
      },
    )

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

    // Its bodies go to tus as they come; Fastify must not read them.
    app.addContentTypeParser('application/offset+octet-stream', (_request, _body, done) => done(null))
    const tus = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { id = '' } = request.params as { id?: string }
      reply.hijack()
      await resumable.handle(callerOf(request), id, request.raw, reply.raw)
    }
    const method = ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS']
    const schema = { hide: true }
    // A file is sent in many pieces.
    const config = { uncounted: true, upload: true }
    app.route({ method: ['POST', 'OPTIONS'], url: RESUMABLE_UPLOAD_PATH, schema, config, preValidation, handler: tus })
    app.route({ method, url: `${RESUMABLE_UPLOAD_PATH}/:id`, schema, config, preValidation, handler: tus })
  }
