import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { DeliveryRow } from './delivery-queue.repo.ts'
import type { EndpointRow } from './endpoints.repo.ts'
import { inSlices, ROWS_AT_ONCE } from './in-slices.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import { tooOldBefore } from './old-deliveries.ts'

/*
 * Deliveries about one subject go to an endpoint one after the other: only the first of those that wait, the head, has a `due_at`. So to
 * find what is due costs the same however many wait behind it. Code that changes heads holds the lock of the endpoint. While the endpoint
 * is not active no `due_at` counts, and nobody writes them all anew for that: thousands may wait.
 */

/** Written out, not bound: SQLite uses an index of what waits only where the query itself says so. */
export const WAITING = sql.lit('waiting')

type Waiting = Pick<DeliveryRow, 'id' | 'subject' | 'fact_id' | 'in_order' | 'created_at' | 'due_at'>

type Owned = Pick<EndpointRow, 'id' | 'user_id'>

interface Walk {
  readonly endpointId: string
  /** False: the rest is left as it is. */
  readonly goesOn: (endpoint: EndpointRow) => boolean
  /** With the endpoint locked. */
  readonly work: (inside: Db, rows: readonly Waiting[]) => Promise<void>
}

/** All that waits for an endpoint, subject by subject and each in its order, with a transaction for each slice. */
async function walkWaiting(db: Db, { endpointId, goesOn, work }: Walk): Promise<void> {
  let last: Pick<Waiting, 'subject' | 'fact_id'> = { subject: '', fact_id: 0 }
  await inSlices(() =>
    db.transaction().execute(async (inside) => {
      const endpoint = await lockEndpoint(inside, endpointId)
      if (!endpoint || !goesOn(endpoint)) return 0
      const rows = await inside
        .selectFrom('webhook_deliveries')
        .select(['id', 'subject', 'fact_id', 'in_order', 'created_at', 'due_at'])
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', WAITING)
        .where(sql<boolean>`(subject, fact_id) > (${last.subject}, ${last.fact_id})`)
        .orderBy('subject')
        .orderBy('fact_id')
        .limit(ROWS_AT_ONCE)
        .execute()
      await work(inside, rows)
      last = rows.at(-1) ?? last
      return rows.length
    }),
  )
}

/**
 * Before an endpoint becomes active. The first of each subject is due then, and so is what is sent out of turn. They have all their tries
 * again, over a whole day, as if they had just come. What nobody could want any more goes. Nothing is sent meanwhile, so a crash in the midst
 * of it leaves an endpoint that rests as before, and the next call begins anew.
 */
export async function readyHeads(db: Db, { id: endpointId, user_id }: Owned, now: number): Promise<void> {
  let subject: string | null = null
  function isHead(row: Waiting): boolean {
    if (row.in_order === 0) return true
    const isFirst = row.subject !== subject
    subject = row.subject
    return isFirst
  }
  await walkWaiting(db, {
    endpointId,
    // Another call may have been quicker: what is under way since then is left alone.
    goesOn: (endpoint) => endpoint.user_id === user_id && endpoint.state !== 'active',
    async work(inside, rows) {
      const isOld = ({ created_at }: Waiting): boolean => created_at < tooOldBefore(now)
      const old = idsOf(rows.filter(isOld))
      const heads = idsOf(rows.filter((row) => !isOld(row) && isHead(row)))
      if (old.length > 0) await inside.deleteFrom('webhook_deliveries').where('id', 'in', old).execute()
      if (heads.length === 0) return
      const values = { due_at: now, since_at: now, tries: 0 }
      await inside.updateTable('webhook_deliveries').set(values).where('id', 'in', heads).execute()
    },
  })
}

const idsOf = (rows: readonly Waiting[]): string[] => rows.map(({ id }) => id)

/**
 * The receiver has just shown that it works: what was put off until later is due now. Returns how many. `claimMs`: what is due within a claim's
 * time may be one that is under way, and is left alone; else it would be sent twice.
 */
export async function hurryHeads(
  db: Db,
  endpointId: string,
  { now, claimMs }: { now: number; claimMs: number },
): Promise<number> {
  let count = 0
  await walkWaiting(db, {
    endpointId,
    goesOn: ({ state }) => state === 'active',
    async work(inside, rows) {
      const late = idsOf(rows.filter(({ due_at }) => due_at !== null && due_at > now + claimMs))
      if (late.length === 0) return
      const { numUpdatedRows } = await inside
        .updateTable('webhook_deliveries')
        .set({ due_at: now })
        .where('id', 'in', late)
        .where('due_at', '>', now + claimMs)
        .executeTakeFirst()
      count += Number(numUpdatedRows)
    },
  })
  return count
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
