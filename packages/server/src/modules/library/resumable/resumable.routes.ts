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
    const onReserved = () => request.leavePlace?.()
    await resumable.handle({ caller: callerOf(request), uploadId: id, onReserved }, request.raw, reply.raw)
  }
  const shared = { schema: { hide: true }, preValidation, handler: tus }
  const [url, urlOfOne] = [RESUMABLE_UPLOAD_PATH, `${RESUMABLE_UPLOAD_PATH}/:id`]
  // A file is sent in many pieces, and may come with its creation: a POST, at whatever path.
  const bytes = { ...shared, config: { uncounted: true, upload: true } }
  const creation = { ...bytes, config: { ...bytes.config, beginsUpload: true } }
  for (const each of [url, urlOfOne]) app.route({ ...creation, method: 'POST', url: each })
  app.route({ ...bytes, method: 'PATCH', url: urlOfOne })
  const calls = { ...shared, config: { uncounted: true } }
  app.route({ ...calls, method: 'OPTIONS', url })
  app.route({ ...calls, method: ['HEAD', 'DELETE', 'OPTIONS'], url: urlOfOne })
}
