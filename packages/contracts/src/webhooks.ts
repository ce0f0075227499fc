import { z } from 'zod'
import { Answer } from './answers.ts'
import { ONLINE_URL_MAX } from './limits.ts'
import { WEBHOOK_TEXTS } from './webhook-texts.ts'

/*
 * By session or API key; all of one's own workspace. 'proof': a session has to prove itself first (password_needed).
 *
 * | call | body, query | answer |
 * |---|---|---|
 * | GET    /fitur/webhook                                 |                      | WebhookListAnswer |
 * | POST   /fitur/webhook                         (proof) | CreateWebhookBody    | WebhookSecretAnswer |
 * | GET    /fitur/webhook/:id                             |                      | WebhookAnswer |
 * | PATCH  /fitur/webhook/:id      (proof if url changes) | ChangeWebhookBody    | WebhookAnswer |
 * | DELETE /fitur/webhook/:id                             |                      | Answer |
 * | POST   /fitur/webhook/:id/pause                       |                      | WebhookAnswer |
 * | POST   /fitur/webhook/:id/resume                      |                      | WebhookAnswer |
 * | POST   /fitur/webhook/:id/rotate-secret       (proof) |                      | WebhookSecretAnswer |
 * | POST   /fitur/webhook/:id/test                        |                      | WebhookTestAnswer |
 * | GET    /fitur/webhook/:id/deliveries                  | ListDeliveriesQuery  | DeliveryListAnswer |
 * | GET    /fitur/webhook/:id/deliveries/:deliveryId      |                      | DeliveryAnswer |
 * | POST   /fitur/webhook/:id/deliveries/:deliveryId/resend |                    | DeliveryAnswer |
 *
 * Refusals: plan_limit (reasonCode 'plan-webhooks'), webhook_invalid, webhook_forbidden, webhook_not_active, webhook_test_running,
 * not_found, invalid_input, rate_limited, server_busy.
 */

/** What can be chosen; `webhook.test` comes beside them when somebody asks for it. */
export const WEBHOOK_EVENTS = [
  'stream.started',
  'stream.live',
  'stream.interrupted',
  'stream.recovered',
  'stream.failed',
  'stream.ended',
  'video.ready',
  'video.failed',
  'schedule.started',
  'schedule.missed',
  'recording.ready',
  'plan.ending',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

export const WEBHOOK_DESCRIPTION_MAX = 200
export const DELIVERIES_PER_PAGE_MAX = 100

const Url = z
  .string({ error: WEBHOOK_TEXTS.urlRequired })
  .trim()
  .min(1, WEBHOOK_TEXTS.urlRequired)
  .max(ONLINE_URL_MAX, WEBHOOK_TEXTS.urlInvalid)
const Description = z
  .string({ error: WEBHOOK_TEXTS.descriptionInvalid })
  .trim()
  .max(WEBHOOK_DESCRIPTION_MAX, WEBHOOK_TEXTS.descriptionInvalid)
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), WEBHOOK_TEXTS.descriptionInvalid)
const Events = z
  .array(z.enum(WEBHOOK_EVENTS, { error: WEBHOOK_TEXTS.eventUnknown }), { error: WEBHOOK_TEXTS.eventsRequired })
  .min(1, WEBHOOK_TEXTS.eventsRequired)
  .max(100, WEBHOOK_TEXTS.eventUnknown)

export const CreateWebhookBody = z.object({ url: Url, description: Description.default(''), events: Events })
export type CreateWebhookBody = z.infer<typeof CreateWebhookBody>

/** What is left out stays as it is. */
export const ChangeWebhookBody = z
  .object({ url: Url.optional(), description: Description.optional(), events: Events.optional() })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: WEBHOOK_TEXTS.nothingToChange,
    path: ['url'],
  })
export type ChangeWebhookBody = z.infer<typeof ChangeWebhookBody>

/** 'paused': by its owner, or because the plan does not have it. 'disabled': by us, because of its receiver. */
export const WebhookState = z.enum(['active', 'paused', 'disabled'])
export type WebhookState = z.infer<typeof WebhookState>

export const WebhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: WebhookState,
  /** Why it is not active: 'plan', 'gone' or 'failing'; null: its owner wanted that, or it is active. */
  stateReason: z.string().nullable(),
  /** The same in words. */
  notice: z.string().nullable(),
  /** Something to know about its address: that it is not encrypted. */
  warning: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Until then the secret from before signs too. */
  oldSecretUntil: z.iso.datetime().nullable(),
  /** Deliveries that wait for their turn or their next try. */
  waiting: z.number().int(),
  lastDeliveredAt: z.iso.datetime().nullable(),
  /** Since when no try has worked; null: the last one did, or there was none. */
  failingSince: z.iso.datetime().nullable(),
  /** How many of the oldest deliveries went because too many waited, since it last became active, in words; null: none. */
  dropped: z.string().nullable(),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const WebhookAnswer = Answer.extend({ data: WebhookEndpoint })
export type WebhookAnswer = z.infer<typeof WebhookAnswer>
export const WebhookListAnswer = Answer.extend({
  data: z.array(WebhookEndpoint),
  /** How many the plan has; 0: none, and then a new one is refused with the plan that has some. */
  allowed: z.number().int(),
})
export type WebhookListAnswer = z.infer<typeof WebhookListAnswer>
/** The secret is answered here and never again: `whsec_` and base64, as Standard Webhooks has it. */
export const WebhookSecretAnswer = Answer.extend({ data: WebhookEndpoint, secret: z.string() })
export type WebhookSecretAnswer = z.infer<typeof WebhookSecretAnswer>

export const DeliveryState = z.enum(['waiting', 'delivered', 'failed'])
export type DeliveryState = z.infer<typeof DeliveryState>

export const ListDeliveriesQuery = z.object({
  /** The `nextCursor` of the page before. */
  cursor: z.string({ error: WEBHOOK_TEXTS.cursorInvalid }).max(200, WEBHOOK_TEXTS.cursorInvalid).optional(),
  limit: z.coerce
    .number({ error: WEBHOOK_TEXTS.limitInvalid })
    .int(WEBHOOK_TEXTS.limitInvalid)
    .min(1, WEBHOOK_TEXTS.limitInvalid)
    .max(DELIVERIES_PER_PAGE_MAX, WEBHOOK_TEXTS.limitInvalid)
    .default(50),
  state: z.enum(DeliveryState.options, { error: WEBHOOK_TEXTS.stateUnknown }).optional(),
})
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>

export const DeliverySummary = z.object({
  /** What the receiver got as `webhook-id`. */
  id: z.string(),
  /** One of the events, or `webhook.test`. */
  event: z.string(),
  /** The title of the broadcast or the schedule, or the name of the video; null: it is about nothing that has one. */
  about: z.string().nullable(),
  state: DeliveryState,
  createdAt: z.iso.datetime(),
  /** When somebody last had it sent again; null: nobody did. */
  resentAt: z.iso.datetime().nullable(),
  /** Since it was made, last sent again, or its webhook was last resumed. */
  tries: z.number().int(),
  lastTryAt: z.iso.datetime().nullable(),
  /** Null: it is over, waits for an earlier one of the same subject, or its webhook is not active. */
  nextTryAt: z.iso.datetime().nullable(),
  /** The status of the last answer; null: there was none. */
  status: z.number().int().nullable(),
  /** What was wrong with the last try, as a code and in words; null: nothing, or none yet. */
  resultCode: z.string().nullable(),
  result: z.string().nullable(),
  durationMs: z.number().int().nullable(),
})
export type DeliverySummary = z.infer<typeof DeliverySummary>

export const Delivery = DeliverySummary.extend({
  /** As last sent, without the signature. */
  requestHeaders: z.record(z.string(), z.string()),
  requestBody: z.string(),
  /** The first 2 kB of what was answered. */
  answer: z.string().nullable(),
})
export type Delivery = z.infer<typeof Delivery>

export const DeliveryListAnswer = Answer.extend({ data: z.array(DeliverySummary), nextCursor: z.string().nullable() })
export type DeliveryListAnswer = z.infer<typeof DeliveryListAnswer>
export const DeliveryAnswer = Answer.extend({ data: Delivery })
export type DeliveryAnswer = z.infer<typeof DeliveryAnswer>

/** `state` is 'delivered' or 'failed': a test is tried once. `message` says what came back. */
export const WebhookTestAnswer = Answer.extend({ data: Delivery })
export type WebhookTestAnswer = z.infer<typeof WebhookTestAnswer>
