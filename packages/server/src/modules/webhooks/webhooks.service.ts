import { randomUUID } from 'node:crypto'
import { WEBHOOK_TEXTS } from '@siarin/contracts/webhook-texts'
import type { ChangeWebhookBody, CreateWebhookBody, WebhookEndpoint } from '@siarin/contracts/webhooks'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Egress, EgressRefused } from '../../platform/egress/egress.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { Caller } from '../identity/caller.ts'
import type { EndpointRow, EndpointsRepo } from './endpoints.repo.ts'
import { newSigningSecret } from './sign.ts'
import { toEndpoint } from './webhook-view.ts'

export interface WebhooksServiceDeps {
  readonly repo: EndpointsRepo
  readonly sealer: Sealer
  readonly clock: Clock
  readonly egress: Pick<Egress, 'parse' | 'resolve'>
  readonly activity: Pick<ActivityService, 'record'>
  readonly plans: {
    /** How many somebody may have now. */
    readonly allowedOf: (userId: string) => Promise<number>
    readonly refusal: (userId: string) => Promise<DomainError>
  }
  /** Something may be due. */
  readonly wake: () => void
}

export type WebhooksService = ReturnType<typeof createWebhooksService>

/** For how long the secret before a change signs too. */
const OVERLAP_MS = 86_400_000

const missingWebhook = (): DomainError => new DomainError('not_found', WEBHOOK_TEXTS.notFound)

/** What it is called where addresses have no place: they may carry tokens. */
export const nameOf = ({ description, url_sealed }: EndpointRow, sealer: Pick<Sealer, 'open'>): string =>
  description || new URL(sealer.open(url_sealed).reveal()).host

export function createWebhooksService(deps: WebhooksServiceDeps) {
  const { repo, sealer, clock, activity, plans } = deps

  const record = ({ userId }: Caller, kind: RecordedKind, row: EndpointRow, visitor: Visitor): Promise<void> =>
    activity.record({ userId, kind, visitor, detail: nameOf(row, sealer) })

  const viewsOf = createViews(deps)

  async function viewOf(row: EndpointRow | null): Promise<WebhookEndpoint> {
    const [view] = row ? await viewsOf([row]) : []
    if (!view) throw missingWebhook()
    return view
  }

  async function ownRow({ workspaceId }: Caller, id: string): Promise<EndpointRow> {
    const row = await repo.byId(workspaceId, id)
    if (!row) throw missingWebhook()
    return row
  }

  return {
    ownRow,
    async list({ workspaceId }: Caller): Promise<{ data: WebhookEndpoint[]; allowed: number }> {
      return { data: await viewsOf(await repo.list(workspaceId)), allowed: await plans.allowedOf(workspaceId) }
    },
    get: async (caller: Caller, id: string): Promise<WebhookEndpoint> => viewOf(await ownRow(caller, id)),

    async create(caller: Caller, { url, description, events }: CreateWebhookBody, visitor: Visitor) {
      const { workspaceId } = caller
      const most = await plans.allowedOf(workspaceId)
      if (most === 0) throw await plans.refusal(workspaceId)
      const address = await judgeAddress(url, deps.egress)
      const secret = newSigningSecret()
      const row: EndpointRow = {
        ...{ id: randomUUID(), user_id: workspaceId, description, events: eachOnce(events) },
        ...{ url_sealed: sealer.seal(address), secret_sealed: sealer.seal(secret) },
        ...{ old_secret_sealed: null, old_secret_until: null, state: 'active', state_reason: null },
        ...{ failing_since: null, dropped: 0, after_fact: 0, created_at: clock.now() },
      }
      if (!(await repo.insertWithin(row, most))) throw await plans.refusal(workspaceId)
      await record(caller, 'webhook-added', row, visitor)
      return { data: await viewOf(row), secret: secret.reveal() }
    },

    async change(caller: Caller, id: string, { url, description, events }: ChangeWebhookBody, visitor: Visitor) {
      await ownRow(caller, id)
      const address = url === undefined ? null : await judgeAddress(url, deps.egress)
      const row = await repo.change(caller.workspaceId, id, {
        ...(description !== undefined && { description }),
        ...(events && { events: eachOnce(events) }),
        // What did not work did not work there.
        ...(address && { url_sealed: sealer.seal(address), failing_since: null }),
      })
      if (row) await record(caller, 'webhook-changed', row, visitor)
      return viewOf(row)
    },

    async remove(caller: Caller, id: string, visitor: Visitor): Promise<void> {
      const row = await repo.remove(caller.workspaceId, id)
      if (!row) throw missingWebhook()
      await record(caller, 'webhook-removed', row, visitor)
    },

    async pause(caller: Caller, id: string): Promise<WebhookEndpoint> {
      await ownRow(caller, id)
      await repo.pause(caller.workspaceId, id)
      return viewOf(await ownRow(caller, id))
    },

    async resume(caller: Caller, id: string): Promise<WebhookEndpoint> {
      const { workspaceId } = caller
      await ownRow(caller, id)
      const most = await plans.allowedOf(workspaceId)
      const isResumed = await repo.resumeWithin(workspaceId, id, { most, now: clock.now() })
      if (!isResumed) throw await plans.refusal(workspaceId)
      deps.wake()
      return viewOf(await ownRow(caller, id))
    },

    async rotate(caller: Caller, id: string, visitor: Visitor) {
      const secret = newSigningSecret()
      const oldUntil = clock.now() + OVERLAP_MS
      const row = await repo.rotate(caller.workspaceId, id, { sealed: sealer.seal(secret), oldUntil })
      if (row) await record(caller, 'webhook-secret-changed', row, visitor)
      return { data: await viewOf(row), secret: secret.reveal() }
    },
  }
}

const createViews =
  ({ repo, sealer, clock }: Pick<WebhooksServiceDeps, 'repo' | 'sealer' | 'clock'>) =>
  async (rows: readonly EndpointRow[]): Promise<WebhookEndpoint[]> => {
    const counts = await repo.countsOf(rows.map(({ id }) => id))
    return rows.map((row) =>
      toEndpoint(row, {
        url: sealer.open(row.url_sealed).reveal(),
        now: clock.now(),
        counts: counts.get(row.id) ?? { waiting: 0, lastDeliveredAt: null },
      }),
    )
  }

const eachOnce = (events: readonly string[]): string => JSON.stringify([...new Set(events)])

type RecordedKind = `webhook-${'added' | 'changed' | 'removed' | 'secret-changed'}`

const REFUSALS = {
  invalid: ['webhook_invalid', WEBHOOK_TEXTS.urlInvalid],
  'unknown-host': ['webhook_invalid', WEBHOOK_TEXTS.urlUnknown],
  forbidden: ['webhook_forbidden', WEBHOOK_TEXTS.urlForbidden],
} as const

/** Where it leads is judged again whenever something is sent: this is for the person who types it. */
async function judgeAddress(text: string, egress: Pick<Egress, 'parse' | 'resolve'>): Promise<Secret> {
  try {
    const url = egress.parse(text)
    // No server ever gets it.
    url.hash = ''
    await egress.resolve(url.hostname)
    return new Secret(url.href)
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    const [code, words] = REFUSALS[error.why]
    throw new DomainError(code, words)
  }
}
