import {
  type ChangeWebhookBody,
  CreateWebhookBody,
  WEBHOOK_EVENTS,
  type WebhookEndpoint,
  type WebhookEvent,
} from '@siarin/contracts/webhooks'

export interface WebhookForm {
  readonly url: string
  readonly description: string
  readonly events: readonly WebhookEvent[]
}

export type WebhookFaults = Partial<Record<keyof WebhookForm, string>>

/** Every event has one; the first part of its name is its group. */
export const EVENT_GROUPS: readonly { readonly label: string; readonly prefix: string }[] = [
  { label: 'Siaran', prefix: 'stream.' },
  { label: 'Video', prefix: 'video.' },
  { label: 'Jadwal', prefix: 'schedule.' },
  { label: 'Rekaman', prefix: 'recording.' },
  { label: 'Paket', prefix: 'plan.' },
]

export const eventsOf = (prefix: string): readonly WebhookEvent[] =>
  WEBHOOK_EVENTS.filter((event) => event.startsWith(prefix))

const inOrder = (events: readonly WebhookEvent[]): WebhookEvent[] =>
  WEBHOOK_EVENTS.filter((event) => events.includes(event))

/** A new one begins with what most want: the whole life of a broadcast. */
export const formOf = (webhook: WebhookEndpoint | null): WebhookForm => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  events: webhook ? inOrder(webhook.events) : eventsOf('stream.'),
})

/** In the order of the list, however they were pressed. */
export const withEvents = (form: WebhookForm, events: readonly WebhookEvent[], on: boolean): WebhookForm => ({
  ...form,
  events: WEBHOOK_EVENTS.filter((event) => (events.includes(event) ? on : form.events.includes(event))),
})

/** What can be said before the server is asked; it judges everything else. */
export function faultsOf(form: WebhookForm): WebhookFaults {
  const read = CreateWebhookBody.safeParse(form)
  if (read.success) return {}
  return Object.fromEntries(read.error.issues.map(({ path, message }) => [String(path[0]), message]))
}

export const newWebhook = ({ url, description, events }: WebhookForm): CreateWebhookBody => ({
  url: url.trim(),
  description: description.trim(),
  events: [...events],
})

/** Only what is not as it was: the address alone needs a proof. */
export function changedWebhook(form: WebhookForm, webhook: WebhookEndpoint): ChangeWebhookBody {
  const next = newWebhook(form)
  return {
    ...(next.url !== webhook.url && { url: next.url }),
    ...(next.description !== webhook.description && { description: next.description }),
    ...(next.events.join() !== inOrder(webhook.events).join() && { events: next.events }),
  }
}
