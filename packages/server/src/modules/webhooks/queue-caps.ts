import { sql } from 'kysely'
import { createBoundedMap } from '../../platform/bounded-map.ts'
import type { Db } from '../../platform/db/database.ts'
import { promoteNext, WAITING } from './delivery-heads.ts'

interface Most {
  readonly perEndpoint: number
  readonly perUser: number
}

interface Added {
  readonly endpoint_id: string
  readonly user_id: string
}

/** Whose queue: a column and its value. */
type Queue = readonly ['endpoint_id' | 'user_id', string]

/** Others may add to the same queues, so no count is believed for longer. */
const BELIEVED_ROWS = 1000
/** Below the cap, so that a full queue is not counted anew for each row. */
const MARGIN = 0.01
/** Queues whose room is known: those of endpoints that are gone make room, and one that is forgotten is counted anew. */
const MOST_KNOWN = 10_000
/** In one transaction. More than comes with it, so a queue that is far too long gets shorter. */
const DROPPED_AT_ONCE = 300

/**
 * A receiver that is away for long, with much to hear: the newest is worth more. What goes is said in the log and at its endpoint. To count a
 * full queue takes longer than to add to it, so it is counted only once it may be full.
 */
export function createQueueCaps(most: Most) {
  /** How many may still come before it has to be counted. */
  const room = createBoundedMap<number>(MOST_KNOWN)

  async function keepTo(inside: Db, queue: Queue, limit: number, added: number, now: number): Promise<void> {
    const left = (room.get(queue[1]) ?? 0) - added
    room.set(queue[1], left)
    if (left >= 0) return
    const count = await countWaiting(inside, queue)
    const excess = count - limit
    if (excess > 0) {
      await dropOldest(inside, queue, Math.min(excess + Math.floor(limit * MARGIN), DROPPED_AT_ONCE), now)
      room.delete(queue[1])
    } else {
      room.set(queue[1], Math.min(-excess, BELIEVED_ROWS))
    }
  }

  /** After these were added. The endpoints of their users are locked. */
  return async (inside: Db, rows: readonly Added[], now: number): Promise<void> => {
    for (const [id, added] of countBy(rows.map(({ endpoint_id }) => endpoint_id))) {
      await keepTo(inside, ['endpoint_id', id], most.perEndpoint, added, now)
    }
    for (const [id, added] of countBy(rows.map(({ user_id }) => user_id))) {
      await keepTo(inside, ['user_id', id], most.perUser, added, now)
    }
  }
}

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

async function countWaiting(inside: Db, [column, id]: Queue): Promise<number> {
  const counted = await inside
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(column, '=', id)
    .where('state', '=', WAITING)
    .executeTakeFirst()
  return Number(counted?.count ?? 0)
}

async function dropOldest(inside: Db, [column, id]: Queue, count: number, now: number): Promise<void> {
  const oldest = await inside
    .selectFrom('webhook_deliveries')
    .select(['id', 'endpoint_id', 'subject'])
    .where(column, '=', id)
    .where('state', '=', WAITING)
    .orderBy('fact_id')
    .limit(count)
    .execute()
  const ids = oldest.map((each) => each.id)
  await inside
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', result: 'queue-full', due_at: null, finished_at: now })
    .where('id', 'in', ids)
    .execute()
  for (const [endpointId, dropped] of countBy(oldest.map(({ endpoint_id }) => endpoint_id))) {
    await inside
      .updateTable('webhook_endpoints')
      .set({ dropped: sql<number>`dropped + ${dropped}` })
      .where('id', '=', endpointId)
      .execute()
    // Also where it is not active: it may be about to become so, with its heads in place.
    const subjects = oldest.filter((each) => each.endpoint_id === endpointId).map(({ subject }) => subject)
    for (const subject of new Set(subjects)) await promoteNext(inside, endpointId, subject, now)
  }
}
