import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { tooOldBefore } from './old-deliveries.ts'

/*
 * Deliveries about one subject go to an endpoint one after the other: only the first of those that wait, the head, has a `due_at`. So to
 * find what is due costs the same however many wait behind it. Code that changes heads holds the lock of the endpoint.
 */

/** Written out, not bound: SQLite uses an index of what waits only where the query itself says so. */
export const WAITING = sql.lit('waiting')

/** None of them is due any more. */
export async function parkWaiting(inside: Db, endpointId: string): Promise<void> {
  await inside
    .updateTable('webhook_deliveries')
    .set({ due_at: null })
    .where('endpoint_id', '=', endpointId)
    .where('due_at', 'is not', null)
    .where('state', '=', WAITING)
    .execute()
}

/**
 * The first of each subject is due, and whatever is sent out of turn. They have all their tries again, over a whole day, as if they had just
 * come. What nobody could want any more goes.
 */
export async function releaseHeads(inside: Db, endpointId: string, now: number): Promise<void> {
  await inside
    .deleteFrom('webhook_deliveries')
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', WAITING)
    .where('created_at', '<', tooOldBefore(now))
    .execute()
  await inside
    .updateTable('webhook_deliveries')
    .set({ due_at: now, since_at: now, tries: 0 })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', WAITING)
    .where((eb) =>
      eb.or([
        eb('in_order', '=', 0),
        eb(
          'fact_id',
          'in',
          eb
            .selectFrom('webhook_deliveries')
            .select(sql<number>`min(fact_id)`.as('first'))
            .where('endpoint_id', '=', endpointId)
            .where('state', '=', WAITING)
            .where('in_order', '=', 1)
            .groupBy('subject'),
        ),
      ]),
    )
    .execute()
}

/**
 * The receiver has just shown that it works: what was put off until later is due now. Answers how many. `claimMs`: what is due within a claim's
 * time may be one that is under way, and is left alone; else it would be sent twice.
 */
export async function hurryHeads(
  inside: Db,
  endpointId: string,
  { now, claimMs }: { now: number; claimMs: number },
): Promise<number> {
  const { numUpdatedRows } = await inside
    .updateTable('webhook_deliveries')
    .set({ due_at: now })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .where('due_at', '>', now + claimMs)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** One about this subject is over: the next of them is due. */
export async function promoteNext(inside: Db, endpointId: string, subject: string, now: number): Promise<boolean> {
  const next = await inside
    .selectFrom('webhook_deliveries')
    .select(['id', 'due_at'])
    .where('endpoint_id', '=', endpointId)
    .where('subject', '=', subject)
    .where('state', '=', WAITING)
    .where('in_order', '=', 1)
    .orderBy('fact_id')
    .limit(1)
    .executeTakeFirst()
  if (!next || next.due_at !== null) return false
  await inside.updateTable('webhook_deliveries').set({ due_at: now, since_at: now }).where('id', '=', next.id).execute()
  return true
}
