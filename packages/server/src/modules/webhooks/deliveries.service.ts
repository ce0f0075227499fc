import { WEBHOOK_TEXTS, webhookResultText } from '@siarin/contracts/webhook-texts'
import type { Delivery, DeliverySummary, ListDeliveriesQuery } from '@siarin/contracts/webhooks'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { isForeignKeyViolation } from '../../platform/db/database.ts'
import { createTestPlaces } from '../../platform/test-places.ts'
import type { Caller } from '../identity/caller.ts'
import { newDeliveryId } from './delivery-id.ts'
import type { DeliveryLog, LogPlace } from './delivery-log.repo.ts'
import type { DeliveryRow } from './delivery-queue.repo.ts'
import type { EndpointRow } from './endpoints.repo.ts'
import { testBody } from './event-of.ts'
import { triedColumns } from './finish-delivery.ts'
import type { TryResult } from './judge-try.ts'
import { SLOW_CALLS } from './places.ts'
import type { SendDelivery } from './send-delivery.ts'
import { toDelivery, toSummary } from './webhook-view.ts'
import type { WebhooksService } from './webhooks.service.ts'

interface DeliveriesServiceDeps {
  readonly log: DeliveryLog
  readonly ownRow: WebhooksService['ownRow']
  readonly send: SendDelivery
  readonly clock: Clock
  /** For how long one that is under way is somebody's own. */
  readonly claimMs: number
  readonly wake: () => void
  /** No more of what is over is kept than there may be. */
  readonly trim: (endpointId: string) => Promise<unknown>
}

export type DeliveriesService = ReturnType<typeof createDeliveriesService>

const TEST_PLACES = { atOnce: 8, slowMs: SLOW_CALLS.afterMs, mostSlow: SLOW_CALLS.most, waitMs: 5_000 }
const TEST = 'webhook.test'

interface Tested {
  readonly data: Delivery
  readonly message: string
}

function refuseGone(error: unknown): never {
  if (isForeignKeyViolation(error)) throw new DomainError('not_found', WEBHOOK_TEXTS.notFound)
  throw error
}

/** What came back; and what follows from it for those that wait. */
const testWords = ({ code, status }: TryResult, hasHurried: boolean): string => {
  if (code !== null) return webhookResultText(code)
  return [WEBHOOK_TEXTS.testTaken(status ?? 0), ...(hasHurried ? [WEBHOOK_TEXTS.hurried] : [])].join(' ')
}

/** While an endpoint is not active nothing is due at it. */
const asDueAt = ({ state }: EndpointRow, row: DeliveryRow): DeliveryRow =>
  state === 'active' ? row : { ...row, due_at: null }

/** What was sent, what waits, and what is sent because somebody asks for it. */
export function createDeliveriesService(deps: DeliveriesServiceDeps) {
  const { log, ownRow, send, clock, wake, trim } = deps
  const inPlace = createTestPlaces({
    ...TEST_PLACES,
    running: { code: 'webhook_test_running', text: WEBHOOK_TEXTS.testRunning },
    fullText: WEBHOOK_TEXTS.testsFull,
  })
  const testing = new Set<Promise<unknown>>()
  const halt = new AbortController()

  async function ownDelivery(caller: Caller, endpointId: string, id: string): Promise<DeliveryRow> {
    const endpoint = await ownRow(caller, endpointId)
    const row = await log.byId(caller.workspaceId, endpointId, id)
    if (!row) throw new DomainError('not_found', WEBHOOK_TEXTS.deliveryNotFound)
    return asDueAt(endpoint, row)
  }

  /** `again`: one that was sent before, under the same id. A test is tried once, whatever comes of it: nobody wants it tomorrow. */
  async function runTest(caller: Caller, endpointId: string, again: DeliveryRow | null): Promise<Tested> {
    const endpoint = await ownRow(caller, endpointId)
    const at = clock.now()
    const told = again ?? { id: newDeliveryId(at), body: testBody(at, endpointId), created_at: at }
    const tried = await send(told, endpoint, halt.signal)
    const row: DeliveryRow = {
      ...{ id: told.id, body: told.body, endpoint_id: endpointId, user_id: endpoint.user_id, fact_id: null },
      ...{ event: TEST, subject: 'test', state: tried.code === null ? 'delivered' : 'failed' },
      ...{ in_order: 0, tries: 1, due_at: null, created_at: told.created_at, since_at: at, finished_at: clock.now() },
      ...triedColumns(tried, at),
    }
    // Its owner may have deleted the endpoint while its server took its time.
    await ownRow(caller, endpointId)
    await (again ? log.replace(row) : log.insert(row).catch(refuseGone))
    await trim(endpointId)
    const hurried = tried.code === null ? await log.hurry(endpointId, { now: clock.now(), claimMs: deps.claimMs }) : 0
    if (hurried > 0) wake()
    return { data: toDelivery(row), message: testWords(tried, hurried > 0) }
  }

  /** One at a time for each workspace: somebody waits for the answer. */
  async function test(caller: Caller, endpointId: string, again: DeliveryRow | null): Promise<Tested> {
    const work = inPlace(caller.workspaceId, () => runTest(caller, endpointId, again))
    testing.add(work)
    return work.finally(() => testing.delete(work))
  }

  return {
    async list(
      caller: Caller,
      endpointId: string,
      { cursor, limit, state }: ListDeliveriesQuery,
    ): Promise<{ data: DeliverySummary[]; nextCursor: string | null }> {
      const endpoint = await ownRow(caller, endpointId)
      const after = cursor === undefined ? null : placeOf(cursor)
      // One more tells whether there is another page.
      const rows = await log.page(caller.workspaceId, endpointId, { after, limit: limit + 1, state: state ?? null })
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return {
        data: shown.map((row) => toSummary(asDueAt(endpoint, row))),
        nextCursor: last ? cursorOf({ createdAt: last.created_at, id: last.id }) : null,
      }
    },

    get: async (caller: Caller, endpointId: string, id: string): Promise<Delivery> =>
      toDelivery(await ownDelivery(caller, endpointId, id)),

    async sendAgain(caller: Caller, endpointId: string, id: string): Promise<Tested> {
      const row = await ownDelivery(caller, endpointId, id)
      if (row.event === TEST) return test(caller, endpointId, row)
      if (row.state === 'waiting') throw new DomainError('webhook_not_active', WEBHOOK_TEXTS.stillWaiting)
      const again = await log.sendAgain(row, clock.now())
      if (!again) throw new DomainError('webhook_not_active', WEBHOOK_TEXTS.notActive)
      wake()
      return { data: toDelivery(again), message: WEBHOOK_TEXTS.resent }
    },

    /** Sends a test now, whether the endpoint is active or not, and answers what came back. */
    async test(caller: Caller, endpointId: string): Promise<Tested> {
      await ownRow(caller, endpointId)
      return test(caller, endpointId, null)
    },

    /** Ends what is under way. */
    async stop(): Promise<void> {
      halt.abort()
      await Promise.allSettled(testing)
    },
  }
}

const cursorOf = ({ createdAt, id }: LogPlace): string => Buffer.from(`${createdAt} ${id}`).toString('base64url')

function placeOf(cursor: string): LogPlace {
  const [, at, id] = /^(\d{1,15}) ([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at || !id) throw new DomainError('invalid_input', WEBHOOK_TEXTS.cursorInvalid)
  return { createdAt: Number(at), id }
}
