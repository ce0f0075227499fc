import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { VideoAnswer } from '@siarin/contracts/videos'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../errors.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { type FormFile, isForm, readFormFile } from './form/form-file.ts'
import type { LibraryService } from './library.service.ts'

interface UploadRouteDeps {
  service: Pick<LibraryService, 'receive'>
  hooks: Pick<CallerHooks, 'requireKeyOrSession'>
}

const UPLOAD_FIELD = 'video'

/** Browsers write a quote in a multipart file name as %22. */
const asTyped = (filename: string): string => filename.replaceAll('%22', '"')

/** How much the caller says will come; the form around the file is a few hundred bytes of it. */
const announcedBytes = (request: FastifyRequest): number | null => {
  const length = Number(request.headers['content-length'])
  return Number.isSafeInteger(length) ? length : null
}

/** The specified call: one form with the whole file. */
export function uploadRoute(app: App, { service, hooks }: UploadRouteDeps): void {
  // Its bodies are read here, as they come.
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
  app.post(
    '/fitur/video/upload',
    {
      schema: {
        summary: 'Upload a video (multipart, field video)',
        tags: ['video'],
        consumes: ['multipart/form-data'],
        response: { 200: VideoAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
      config: { upload: true },
    },
    async (request) => {
      const { raw } = request
      let file: FormFile | null = null
      try {
        file = isForm(raw) ? await readFormFile(raw) : null
        if (!file || file.fieldname !== UPLOAD_FIELD || file.filename === '') {
          throw new DomainError('invalid_input', VIDEO_TEXTS.pickFile)
        }
        const caller = callerOf(request)
        const data = await service.receive(caller, asTyped(file.filename), announcedBytes(request), file.bytes)
        return { success: true, message: VIDEO_TEXTS.uploaded, data }
      } catch (error) {
        // The rest of the body has to go somewhere, or the next request on this connection waits for ever.
        file?.bytes.destroy()
        raw.resume()
        throw error
      }
    },
  )
}
