import { PLANS, planOf } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { PLAN_TEXTS } from '@siarin/contracts/texts'
import { WEBHOOK_EVENT_TEXTS } from '@siarin/contracts/webhook-texts'
import type { DeliverySummary, WebhookEndpoint, WebhookState } from '@siarin/contracts/webhooks'
import type { BadgeTone } from '../../components/badge.tsx'
import { formatInstant, formatMoment, formatNumber } from '../../lib/format.ts'

const STATES: Record<WebhookState, readonly [label: string, tone: BadgeTone]> = {
  active: ['Aktif', 'accent'],
  paused: ['Dijeda', 'neutral'],
  disabled: ['Dimatikan', 'warn'],
}

/** An active one whose receiver does not answer is said to be in trouble. */
export const stateWords = ({ state, failingSince }: WebhookEndpoint): readonly [label: string, tone: BadgeTone] =>
  state === 'active' && failingSince !== null ? ['Bermasalah', 'warn'] : STATES[state]

/** 'Terakhir sampai 15 Nov 2026 19.30 WIB · 3 menunggu' */
export function lastWords({ lastDeliveredAt, failingSince, waiting }: WebhookEndpoint): string {
  const facts = [
    failingSince !== null
      ? `Gagal sejak ${formatMoment(failingSince)}`
      : lastDeliveredAt === null
        ? 'Belum ada yang sampai'
        : `Terakhir sampai ${formatMoment(lastDeliveredAt)}`,
    ...(waiting > 0 ? [`${formatNumber(waiting)} menunggu`] : []),
  ]
  return facts.join(' · ')
}

const isKnown = (event: string): event is keyof typeof WEBHOOK_EVENT_TEXTS => Object.hasOwn(WEBHOOK_EVENT_TEXTS, event)

/** An event may be another version's, which this one does not know. */
export const eventWords = (event: string): string => {
  if (event === 'webhook.test') return 'Uji coba'
  return isKnown(event) ? WEBHOOK_EVENT_TEXTS[event] : event
}

export const deliveryState = ({ state, status }: DeliverySummary): readonly [label: string, tone: BadgeTone] => {
  if (state === 'delivered') return [`Sampai${status === null ? '' : ` · ${status}`}`, 'accent']
  if (state === 'failed') return [`Gagal${status === null ? '' : ` · ${status}`}`, 'warn']
  return ['Menunggu', 'neutral']
}

/** '15 Nov 19.30.05 · dikirim ulang 15 Nov 20.10.00 · 2 percobaan · 120 ms · dicoba lagi 15 Nov 20.12.05' */
export function deliveryFacts(delivery: DeliverySummary, webhook: Pick<WebhookEndpoint, 'state'>): string[] {
  const { createdAt, resentAt, tries, durationMs } = delivery
  return [
    formatInstant(createdAt),
    ...(resentAt === null ? [] : [`dikirim ulang ${formatInstant(resentAt)}`]),
    ...(tries === 0 ? [] : [`${tries} percobaan`]),
    ...(durationMs === null ? [] : [`${formatNumber(durationMs)} ms`]),
    ...nextWords(delivery, webhook),
  ]
}

/** What it waits for. One without a time of its own waits for an earlier one of the same broadcast: they come in order. */
function nextWords(
  { state, tries, nextTryAt }: DeliverySummary,
  webhook: Pick<WebhookEndpoint, 'state'>,
): readonly string[] {
  if (state !== 'waiting') return []
  if (webhook.state !== 'active') return ['menunggu webhook diaktifkan']
  if (nextTryAt === null) return ['menunggu kiriman sebelumnya sampai']
  return tries === 0 ? ['segera dikirim'] : [`dicoba lagi ${formatInstant(nextTryAt)}`]
}

/** JSON as a person reads it; what is none, as it came. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** Why there can be no further one, with the way up; null: there can, or nobody knows yet. `allowed`: by the plan. */
export function refusalWords(allowed: number, count: number, standing: Standing | undefined): string | null {
  if (count < allowed || !standing) return null
  const { name } = planOf(standing.plan)
  const next = PLANS.find(({ limits }) => limits.webhooks > allowed)?.name ?? null
  return allowed === 0 ? PLAN_TEXTS.noWebhooks(name, next) : PLAN_TEXTS.webhooks(name, allowed, next)
}
