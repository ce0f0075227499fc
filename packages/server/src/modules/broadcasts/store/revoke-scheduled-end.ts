import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { tellStreams } from './broadcast-end.ts'
import { desiredEnd, MOST_ENDED_JUDGED, SCHEDULE_ENDED } from './scheduled-broadcasts.ts'
import { lastEnded } from './wanted-streams.ts'

/**
 * 'goes-on': it was to end with its pass, and does not any more. 'over': it can only be started again. 'left': its owner stopped it, or it
 * ended for another reason, or some of its streams have ended and the others are still to.
 */
export type RevokedEnd = 'goes-on' | 'over' | 'left'

/** In a transaction. `atPass`: as its end was asked for by its schedule. */
export async function revokeScheduledEnd(inside: Db, broadcastId: string, atPass: boolean): Promise<RevokedEnd> {
  const row = await inside
    .selectFrom('broadcasts')
    .select(['source_kind', 'desired', 'end_cause', 'ended_at'])
    .where('id', '=', broadcastId)
    .executeTakeFirst()
  if (row?.end_cause !== SCHEDULE_ENDED) return 'left'
  const asked = desiredEnd(atPass, row.source_kind)
  // Somebody wanted it off air before its pass was over.
  if (row.desired !== asked) return 'left'
  if (asked === 'stopped' || row.ended_at !== null) return 'over'
  // Once its end is asked for it gets no further targets: they are among the last.
  const ended = lastEnded(inside, broadcastId, MOST_ENDED_JUDGED).select('end_cause').as('ended')
  const { numUpdatedRows } = await inside
    .updateTable('broadcasts')
    .set({ desired: 'live', end_cause: null })
    .where('id', '=', broadcastId)
    .where('desired', '=', 'ending')
    .where('ended_at', 'is', null)
    // A stream that has ended does not come back: then all of them end, and are started again together.
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom(ended).select('ended.end_cause').where('ended.end_cause', '=', SCHEDULE_ENDED))),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return 'left'
  await tellStreams(inside, sql`broadcast_id = ${broadcastId}`)
  return 'goes-on'
}
