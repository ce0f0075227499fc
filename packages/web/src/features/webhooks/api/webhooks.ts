import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  Delivery,
  DeliveryAnswer,
  DeliveryListAnswer,
  WebhookAnswer,
  WebhookListAnswer,
  WebhookSecretAnswer,
  WebhookTestAnswer,
} from '@siarin/contracts/webhooks'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { featureDelete, featureGet, featurePatch, featurePost } from '../../../lib/feature-calls.ts'

const WEBHOOKS = '/fitur/webhook'
const POLL_MS = 15_000
/** The log, while somebody looks at it. */
const DELIVERIES_POLL_MS = 5000
const PER_PAGE = 20

/** All that changes with a delivery. */
export const WEBHOOKS_KEY = ['webhooks'] as const

const pathOf = (id: string): string => `${WEBHOOKS}/${encodeURIComponent(id)}`
const deliveryPath = (id: string, deliveryId: string): string =>
  `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}`

export const webhooksQuery = () =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, 'list'],
    queryFn: ({ signal }): Promise<WebhookListAnswer> => featureGet<WebhookListAnswer>(WEBHOOKS, signal),
    refetchOnMount: 'always',
    refetchInterval: POLL_MS,
  })

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...WEBHOOKS_KEY, id, 'deliveries'],
    queryFn: ({ signal, pageParam }): Promise<DeliveryListAnswer> => {
      const rest = pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      return featureGet<DeliveryListAnswer>(`${pathOf(id)}/deliveries?limit=${PER_PAGE}${rest}`, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnMount: 'always',
    refetchInterval: DELIVERIES_POLL_MS,
  })

/** `lastTryAt`: after another try its answer is another one. */
export const deliveryQuery = (id: string, deliveryId: string, lastTryAt: string | null) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, id, 'delivery', deliveryId, lastTryAt],
    queryFn: async ({ signal }): Promise<Delivery> =>
      (await featureGet<DeliveryAnswer>(deliveryPath(id, deliveryId), signal)).data,
  })

export const createWebhook = (body: CreateWebhookBody): Promise<WebhookSecretAnswer> =>
  featurePost<WebhookSecretAnswer>(WEBHOOKS, body)

export const changeWebhook = async (id: string, body: ChangeWebhookBody): Promise<string> =>
  (await featurePatch<WebhookAnswer>(pathOf(id), body)).message

export const removeWebhook = async (id: string): Promise<string> => (await featureDelete(pathOf(id))).message

export const setPaused = async (id: string, paused: boolean): Promise<string> =>
  (await featurePost<WebhookAnswer>(`${pathOf(id)}/${paused ? 'pause' : 'resume'}`)).message

export const rotateSecret = (id: string): Promise<WebhookSecretAnswer> =>
  featurePost<WebhookSecretAnswer>(`${pathOf(id)}/rotate-secret`)

/** Waits for what the receiver says. */
export const testWebhook = (id: string): Promise<WebhookTestAnswer> =>
  featurePost<WebhookTestAnswer>(`${pathOf(id)}/test`)

export const resendDelivery = async (id: string, deliveryId: string): Promise<string> =>
  (await featurePost<DeliveryAnswer>(`${deliveryPath(id, deliveryId)}/resend`)).message
