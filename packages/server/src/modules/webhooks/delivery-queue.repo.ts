import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { WebhookDeliveryTable } from '../../platform/db/tables/webhooks.ts'
import { dueInTurns } from './due-in-turns.ts'
import { finishDeliveries, type NameOf } from './finish-delivery.ts'
import { inSlices, ROWS_AT_ONCE } from './in-slices.ts'

export type DeliveryRow = Selectable<WebhookDeliveryTable>
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

/** By so much the clocks of several machines may differ. */
const SKEW_MS = 60_000
const CAUGHT_UP_AT_ONCE = 200

/** What is due, taken by one program at a time and given back with what came of it. */
export function createDeliveryQueue(db: Db, nameOf: NameOf = ({ description }) => description) {
  return {
    due: dueInTurns(db),
    /** When something is due next that was not due yet, also where its endpoint is not active: a look costs little. Null: never. */
    async nextAfter(now: number): Promise<number | null> {
      const next = await db
        .selectFrom('webhook_deliveries')
        .select('due_at')
        .where('due_at', '>', now)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst()
      return next?.due_at ?? null
    },
    /** Those of them that nobody else has taken, and whose endpoint is active still. What is not given back in time is due again. */
    async claim(ids: readonly string[], now: number, claimMs: number): Promise<DeliveryRow[]> {
      if (ids.length === 0) return []
      return db
        .updateTable('webhook_deliveries')
        .set(({ eb }) => ({ due_at: now + claimMs, tries: eb('tries', '+', 1) }))
        .where('id', 'in', ids)
        .where('due_at', '<=', now)
        .where('state', '=', 'waiting')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('webhook_endpoints')
              .select('webhook_endpoints.id')
              .whereRef('webhook_endpoints.id', '=', 'webhook_deliveries.endpoint_id')
              .where('webhook_endpoints.state', '=', 'active'),
          ),
        )
        .returningAll()
        .execute()
    },
    /** Taken and not tried: as if nothing had been. */
    async release({ id, tries, since_at, due_at }: DeliveryRow, now: number): Promise<void> {
      await db
        .updateTable('webhook_deliveries')
        .set({ due_at: now, tries: tries - 1 })
        .where('id', '=', id)
        .where('tries', '=', tries)
        .where('since_at', '=', since_at)
        .where('due_at', '=', due_at)
        .execute()
    },
    finish: finishDeliveries(db, nameOf),
    /**
     * What was last written well after now was written before the clock was set back: it is due, since nobody can tell for how long it was
     * to wait. Answers how many there were.
     */
    async catchUpWithClock(now: number): Promise<number> {
      const ahead = now + SKEW_MS
      const isAhead = sql<boolean>`due_at > ${ahead} and (since_at > ${ahead} or coalesce(tried_at, 0) > ${ahead})`
      const found = db.selectFrom('webhook_deliveries').select('id').where(isAhead).limit(CAUGHT_UP_AT_ONCE)
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({
          due_at: now,
          since_at: sql<number>`case when since_at > ${now} then ${now} else since_at end`,
          tried_at: sql<number | null>`case when tried_at > ${now} then ${now} else tried_at end`,
        })
        .where('id', 'in', found)
        .where('due_at', 'is not', null)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    trimFinished: trimFinished(db),
  }
}

/** Only the newest of what is over is kept. Returns how many went. */
const trimFinished =
  (db: Db) =>
  async (endpointId: string, kept: number, isOver: () => boolean = () => false): Promise<number> => {
    const own = db.selectFrom('webhook_deliveries').where('endpoint_id', '=', endpointId)
    const edge = await own
      .select('finished_at')
      .where('finished_at', 'is not', null)
      .orderBy('finished_at', 'desc')
      .offset(kept)
      .limit(1)
      .executeTakeFirst()
    if (!edge) return 0
    const some = own.select('id').where('finished_at', '<=', edge.finished_at).limit(ROWS_AT_ONCE)
    let count = 0
    await inSlices(async () => {
      if (isOver()) return 0
      const { numDeletedRows } = await db.deleteFrom('webhook_deliveries').where('id', 'in', some).executeTakeFirst()
      count += Number(numDeletedRows)
      return Number(numDeletedRows)
    })
    return count
  }
