import type { Db } from '../../platform/db/database.ts'
import { writeFacts } from '../../platform/outbox/facts.ts'
import { promoteNext } from './delivery-heads.ts'
import type { DeliveryRow } from './delivery-queue.repo.ts'
import { setState } from './endpoint-states.ts'
import type { EndpointRow } from './endpoints.repo.ts'
import { isFailingTooLong, type TryResult, type Verdict } from './judge-try.ts'
import { lockEndpoint } from './lock-endpoint.ts'

export interface FinishedTry {
  readonly row: DeliveryRow
  /** Where it was sent to, as the endpoint has it sealed. */
  readonly address: string
  readonly tried: TryResult
  readonly verdict: Verdict
  readonly now: number
  /** False: the clock may be wrong, and does not tell how long an endpoint has failed. */
  readonly isSure: boolean
}

/** What people know an endpoint by. */
export type NameOf = (endpoint: EndpointRow) => string

/** Why the endpoint of a try was disabled by it; null: it was not. */
type Disabled = 'gone' | 'failing' | null

/**
 * Writes down what came of some tries: of the deliveries, of the next ones about their subjects, and of the endpoints. Together, since a
 * transaction for each costs more than the call itself.
 */
export const finishDeliveries =
  (db: Db, nameOf: NameOf) =>
  (all: readonly FinishedTry[]): Promise<Disabled[]> =>
    db.transaction().execute(async (inside) => {
      const endpoints = new Map<string, EndpointRow | null>()
      // In the order of their ids: two that want the same ones do not wait for each other.
      for (const id of [...new Set(all.map(({ row }) => row.endpoint_id))].sort()) {
        endpoints.set(id, await lockEndpoint(inside, id))
      }
      const disabled: Disabled[] = []
      for (const each of all) {
        const endpoint = endpoints.get(each.row.endpoint_id) ?? null
        const after = endpoint && (await finishOne(inside, each, endpoint))
        if (after) endpoints.set(after.id, after)
        const isNew = endpoint?.state === 'active' && after?.state === 'disabled'
        const reason = isNew ? (after.state_reason as Disabled) : null
        if (after && reason) await tellDisabled(inside, after, { name: nameOf(after), reason, at: each.now })
        disabled.push(reason)
      }
      return disabled
    })

/** Who waits for what no longer comes has to know: it is told with the change, never without it. */
const tellDisabled = (
  inside: Db,
  { id, user_id: userId }: EndpointRow,
  { at, ...payload }: { at: number; name: string; reason: 'gone' | 'failing' },
): Promise<void> => writeFacts(inside, { kind: 'webhook', id, userId }, [{ at, fact: 'webhook.disabled', payload }])

/** Answers the endpoint as it is then. */
async function finishOne(
  inside: Db,
  { row, tried, address, verdict: judged, now, isSure }: FinishedTry,
  before: EndpointRow,
): Promise<EndpointRow> {
  const isActive = before.state === 'active'
  // What the address before the last change says counts only where it took the delivery: the new one has not been asked yet.
  const isOfBefore = tried.code !== null && address !== before.url_sealed
  const verdict: Verdict = isOfBefore ? { is: 'again', atMs: now } : judged
  const isOver = verdict.is !== 'again'
  const { numUpdatedRows } = await inside
    .updateTable('webhook_deliveries')
    .set({
      ...triedColumns(tried, now - tried.durationMs),
      due_at: verdict.is === 'again' && isActive ? verdict.atMs : null,
      ...(isOver && { state: verdict.is, finished_at: now }),
    })
    .where('id', '=', row.id)
    // Its tries begin anew when its endpoint is resumed: then the time from which they count is another.
    .where('tries', '=', row.tries)
    .where('since_at', '=', row.since_at)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  // Somebody else has it, or it had to go: what they write counts.
  if (numUpdatedRows === 0n || isOfBefore) return before
  const endpoint = await noteFailing(inside, before, tried.code === null ? null : (before.failing_since ?? now))
  const reason = isActive ? whyDisabled(verdict, isSure ? endpoint.failing_since : null, now) : null
  if (reason) {
    await setState(inside, endpoint.id, 'disabled', reason)
    return { ...endpoint, state: 'disabled', state_reason: reason }
  }
  if (isActive && isOver && row.in_order === 1) await promoteNext(inside, row.endpoint_id, row.subject, now)
  return endpoint
}

export const triedColumns = ({ status, code, durationMs, answer }: TryResult, at: number) => ({
  ...{ tried_at: at, status, result: code, duration_ms: durationMs, answer },
})

const whyDisabled = (verdict: Verdict, failingSince: number | null, now: number): Disabled => {
  if (verdict.is === 'failed' && verdict.disable) return verdict.disable
  return isFailingTooLong(failingSince, now) ? 'failing' : null
}

async function noteFailing(inside: Db, endpoint: EndpointRow, failing_since: number | null): Promise<EndpointRow> {
  if (failing_since === endpoint.failing_since) return endpoint
  await inside.updateTable('webhook_endpoints').set({ failing_since }).where('id', '=', endpoint.id).execute()
  return { ...endpoint, failing_since }
}
