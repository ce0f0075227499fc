import { Answer } from '@siarin/contracts/answers'
import { WEBHOOK_TEXTS } from '@siarin/contracts/webhook-texts'
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  WebhookAnswer,
  WebhookListAnswer,
  WebhookSecretAnswer,
} from '@siarin/contracts/webhooks'
import { z } from 'zod'
import { createLimiter, PLATFORM_LIMITS } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { WebhooksService } from './webhooks.service.ts'

interface WebhooksRoutesDeps {
  service: WebhooksService
  hooks: CallerHooks
}

const tags = ['webhook']
const params = z.object({ id: z.string().max(100) })

export const webhooksRoutes = (deps: WebhooksRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addListRoutes(app, deps)
    addOneRoutes(app, deps)
    addStateRoutes(app, deps)
  }

function addListRoutes(app: App, { service, hooks }: WebhooksRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  const limit = createLimiter(
    app,
    'webhook-add',
    PLATFORM_LIMITS.addPerUser,
    (request) => callerOf(request).userId,
    () => WEBHOOK_TEXTS.tooMany,
  )

  app.get(
    '/fitur/webhook',
    {
      schema: { summary: 'Own webhooks, oldest first', tags, response: { 200: WebhookListAnswer } },
      preValidation,
      config: { alsoPage: true },
    },
    async (request) => {
      const { data, allowed } = await service.list(callerOf(request))
      const message = data.length > 0 ? WEBHOOK_TEXTS.found(data.length) : WEBHOOK_TEXTS.none
      return { success: true, message, data, allowed }
    },
  )

  app.post(
    '/fitur/webhook',
    {
      schema: {
        summary: 'Add a webhook; its signing secret is answered once',
        tags,
        body: CreateWebhookBody,
        response: { 200: WebhookSecretAnswer },
      },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      // A stolen session would go on listening long after it has ended.
      await hooks.assertProved(request)
      await limit(request)
      const { data, secret } = await service.create(callerOf(request), request.body, visitorOf(request))
      return { success: true, message: WEBHOOK_TEXTS.added, data, secret }
    },
  )
}

function addOneRoutes(app: App, { service, hooks }: WebhooksRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession

  app.get(
    '/fitur/webhook/:id',
    { schema: { summary: 'A webhook', tags, params, response: { 200: WebhookAnswer } }, preValidation },
    async (request) => {
      const data = await service.get(callerOf(request), request.params.id)
      return { success: true, message: WEBHOOK_TEXTS.one, data }
    },
  )

  app.patch(
    '/fitur/webhook/:id',
    {
      schema: {
        summary: 'Change a webhook',
        tags,
        params,
        body: ChangeWebhookBody,
        response: { 200: WebhookAnswer },
      },
      preValidation,
    },
    async (request) => {
      if (request.body.url !== undefined) await hooks.assertProved(request)
      const data = await service.change(callerOf(request), request.params.id, request.body, visitorOf(request))
      return { success: true, message: WEBHOOK_TEXTS.changed, data }
    },
  )

  app.delete(
    '/fitur/webhook/:id',
    { schema: { summary: 'Delete a webhook', tags, params, response: { 200: Answer } }, preValidation },
    async (request) => {
      await service.remove(callerOf(request), request.params.id, visitorOf(request))
      return { success: true, message: WEBHOOK_TEXTS.removed }
    },
  )
}

function addStateRoutes(app: App, { service, hooks }: WebhooksRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession

  app.post(
    '/fitur/webhook/:id/pause',
    { schema: { summary: 'Pause a webhook', tags, params, response: { 200: WebhookAnswer } }, preValidation },
    async (request) => {
      const data = await service.pause(callerOf(request), request.params.id)
      return { success: true, message: WEBHOOK_TEXTS.paused, data }
    },
  )

  app.post(
    '/fitur/webhook/:id/resume',
    { schema: { summary: 'Resume a webhook', tags, params, response: { 200: WebhookAnswer } }, preValidation },
    async (request) => {
      const data = await service.resume(callerOf(request), request.params.id)
      return { success: true, message: WEBHOOK_TEXTS.resumed, data }
    },
  )

  app.post(
    '/fitur/webhook/:id/rotate-secret',
    {
      schema: {
        summary: 'Replace the signing secret; the old one signs too for 24 hours',
        tags,
        params,
        response: { 200: WebhookSecretAnswer },
      },
      preValidation,
    },
    async (request) => {
      await hooks.assertProved(request)
      const { data, secret } = await service.rotate(callerOf(request), request.params.id, visitorOf(request))
      return { success: true, message: WEBHOOK_TEXTS.rotated, data, secret }
    },
  )
}
