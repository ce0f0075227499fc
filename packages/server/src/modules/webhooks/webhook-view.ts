import { WEBHOOK_TEXTS, webhookResultText } from '@siarin/contracts/webhook-texts'
import {
  type Delivery,
  type DeliveryState,
  type DeliverySummary,
  WEBHOOK_EVENTS,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookState,
} from '@siarin/contracts/webhooks'
import type { DeliveryRow } from './delivery-queue.repo.ts'
import type { EndpointRow } from './endpoints.repo.ts'
import { shownHeaders } from './sign.ts'

const isoOf = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))

/** The events of a row; another version may know others. */
const eventsOf = ({ events }: Pick<EndpointRow, 'events'>): WebhookEvent[] => {
  const named = new Set<unknown>(JSON.parse(events))
  return WEBHOOK_EVENTS.filter((event) => named.has(event))
}

const isNotice = (reason: string): reason is keyof typeof WEBHOOK_TEXTS.notices =>
  Object.hasOwn(WEBHOOK_TEXTS.notices, reason)

export function toEndpoint(
  row: EndpointRow,
  { url, now, counts }: { url: string; now: number; counts: { waiting: number; lastDeliveredAt: number | null } },
): WebhookEndpoint {
  const { state_reason: reason } = row
  return {
    id: row.id,
    url,
    description: row.description,
    events: eventsOf(row),
    state: row.state as WebhookState,
    stateReason: reason,
    notice: reason !== null && isNotice(reason) ? WEBHOOK_TEXTS.notices[reason] : null,
    warning: url.startsWith('http:') ? WEBHOOK_TEXTS.http : null,
    createdAt: isoOf(row.created_at),
    oldSecretUntil: (row.old_secret_until ?? 0) > now ? isoOrNull(row.old_secret_until) : null,
    waiting: counts.waiting,
    lastDeliveredAt: isoOrNull(counts.lastDeliveredAt),
    failingSince: isoOrNull(row.failing_since),
    dropped: row.dropped > 0 ? WEBHOOK_TEXTS.dropped(row.dropped) : null,
  }
}

/** The name by which people know the subject of what is sent. */
function aboutOf(body: string): string | null {
  const { data } = JSON.parse(body) as { data?: { title?: unknown; filename?: unknown } }
  const name = data?.title ?? data?.filename
  return typeof name === 'string' && name !== '' ? name : null
}

export const toSummary = (row: Omit<DeliveryRow, 'answer'>): DeliverySummary => ({
  id: row.id,
  event: row.event,
  about: aboutOf(row.body),
  state: row.state as DeliveryState,
  createdAt: isoOf(row.created_at),
  // Only what is sent again is out of turn, and has a later time from which its tries count.
  resentAt: row.in_order === 0 && row.since_at > row.created_at ? isoOf(row.since_at) : null,
  tries: row.tries,
  lastTryAt: isoOrNull(row.tried_at),
  nextTryAt: isoOrNull(row.due_at),
  status: row.status,
  resultCode: row.result,
  result: row.result === null ? null : webhookResultText(row.result),
  durationMs: row.duration_ms,
})

export const toDelivery = (row: DeliveryRow): Delivery => ({
  ...toSummary(row),
  requestHeaders: shownHeaders({ id: row.id, atMs: row.tried_at ?? row.created_at }),
  requestBody: row.body,
  answer: row.answer,
})
