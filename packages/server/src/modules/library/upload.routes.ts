import type { MultipartFile } from '@fastify/multipart'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { VideoAnswer } from '@siarin/contracts/videos'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../errors.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from './library.service.ts'

interface UploadRouteDeps {
  service: Pick<LibraryService, 'receive'>
  hooks: Pick<CallerHooks, 'requireKeyOrSession'>
}

const UPLOAD_FIELD = 'video'

/** Browsers write a quote in a multipart file name as %22. */
const asTyped = (filename: string): string => filename.replaceAll('%22', '"')

/** What the form parser says of a body that is no form, or only the beginning of one. */
const isBrokenForm = (error: unknown): boolean =>
  error instanceof Error && /multipart|boundary|needle|unexpected end|terminated early|malformed/i.test(error.message)

/** The form parser never says anything about a part without headers. */
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

/** The specified call: one form with the whole file. */
export function uploadRoute(app: App, { service, hooks }: UploadRouteDeps): void {
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
}
