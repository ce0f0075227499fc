import { WEBHOOK_TEXTS } from '@siarin/contracts/webhook-texts'
import { DeliveryAnswer, DeliveryListAnswer, ListDeliveriesQuery, WebhookTestAnswer } from '@siarin/contracts/webhooks'
import { z } from 'zod'
import { createLimiter, PLATFORM_LIMITS } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { DeliveriesService } from './deliveries.service.ts'

interface DeliveriesRoutesDeps {
  service: DeliveriesService
  hooks: CallerHooks
}

const tags = ['webhook']
const params = z.object({ id: z.string().max(100) })
const deliveryParams = params.extend({ deliveryId: z.string().max(100) })

export const deliveriesRoutes = (deps: DeliveriesRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addLogRoutes(app, deps)
    addSendingRoutes(app, deps)
  }

function addLogRoutes(app: App, { service, hooks }: DeliveriesRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession

  app.get(
    '/fitur/webhook/:id/deliveries',
    {
      schema: {
        summary: 'What was sent to a webhook, newest first',
        tags,
        params,
        querystring: ListDeliveriesQuery,
        response: { 200: DeliveryListAnswer },
      },
      preValidation,
    },
    async (request) => {
      const { data, nextCursor } = await service.list(callerOf(request), request.params.id, request.query)
      const message = data.length > 0 ? WEBHOOK_TEXTS.deliveries(data.length) : WEBHOOK_TEXTS.noDeliveries
      return { success: true, message, data, nextCursor }
    },
  )

  app.get(
    '/fitur/webhook/:id/deliveries/:deliveryId',
    {
      schema: {
        summary: 'One delivery, with request and answer',
        tags,
        params: deliveryParams,
        response: { 200: DeliveryAnswer },
      },
      preValidation,
    },
    async (request) => {
      const { id, deliveryId } = request.params
      const data = await service.get(callerOf(request), id, deliveryId)
      return { success: true, message: WEBHOOK_TEXTS.delivery, data }
    },
  )
}

function addSendingRoutes(app: App, { service, hooks }: DeliveriesRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  const limit = createLimiter(
    app,
    'webhook-send',
    PLATFORM_LIMITS.testPerUser,
    (request) => callerOf(request).userId,
    () => WEBHOOK_TEXTS.tooMany,
  )

  app.post(
    '/fitur/webhook/:id/deliveries/:deliveryId/resend',
    {
      schema: {
        summary: 'Send a delivery again, under the same id',
        tags,
        params: deliveryParams,
        response: { 200: DeliveryAnswer },
      },
      preValidation,
    },
    async (request) => {
      await limit(request)
      const { id, deliveryId } = request.params
      const { data, message } = await service.sendAgain(callerOf(request), id, deliveryId)
      return { success: true, message, data }
    },
  )

  app.post(
    '/fitur/webhook/:id/test',
    {
      schema: {
        summary: 'Send webhook.test now, and answer what came back',
        tags,
        params,
        response: { 200: WebhookTestAnswer },
      },
      preValidation,
    },
    async (request) => {
      await limit(request)
      const { data, message } = await service.test(callerOf(request), request.params.id)
      return { success: true, message, data }
    },
  )
}
