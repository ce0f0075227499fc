import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../http/types.ts'
import { callerOf } from '../../identity/caller.ts'
import type { CallerHooks } from '../../identity/caller-hooks.ts'
import type { ResumableUploads } from './resumable-uploads.ts'

interface ResumableRoutesDeps {
  resumable: Pick<ResumableUploads, 'handle'>
  hooks: Pick<CallerHooks, 'requireKeyOrSession'>
}

export function resumableRoutes(app: App, { resumable, hooks }: ResumableRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  // Its bodies go to tus as they come; Fastify must not read them.
  app.addContentTypeParser('application/offset+octet-stream', (_request, _body, done) => done(null))
  const tus = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { id = '' } = request.params as { id?: string }
    reply.hijack()
    await resumable.handle(callerOf(request), id, request.raw, reply.raw)
  }
  const shared = { schema: { hide: true }, preValidation, handler: tus }
  const [url, urlOfOne] = [RESUMABLE_UPLOAD_PATH, `${RESUMABLE_UPLOAD_PATH}/:id`]
  // A file is sent in many pieces, and may come with its creation.
  const bytes = { ...shared, config: { uncounted: true, upload: true } }
  app.route({ ...bytes, method: 'POST', url })
  app.route({ ...bytes, method: ['POST', 'PATCH'], url: urlOfOne })
  const calls = { ...shared, config: { uncounted: true } }
  app.route({ ...calls, method: 'OPTIONS', url })
  app.route({ ...calls, method: ['HEAD', 'DELETE', 'OPTIONS'], url: urlOfOne })
}
