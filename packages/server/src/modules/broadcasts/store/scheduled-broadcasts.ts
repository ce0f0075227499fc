import { sql } from 'kysely'
import { atomically, type Db } from '../../../platform/db/database.ts'
import { tellStreams } from './broadcast-end.ts'

/** Why a broadcast ended whose schedule says so. */
export const SCHEDULE_ENDED = 'schedule-ended'
/** An online source has no end of a pass. */
const ONLINE_KINDS = ['hls', 'bigo']

export interface ScheduledEnd {
  readonly desired: 'stopped' | 'ending'
  readonly streamIds: readonly string[]
}

/** What schedules ask about the broadcasts that they have started. */
export const scheduledBroadcasts = (db: Db) => ({
  /** Null: it was never begun. */
  async stateOf(broadcastId: string): Promise<'on-air' | 'over' | null> {
    const row = await db.selectFrom('broadcasts').select('ended_at').where('id', '=', broadcastId).executeTakeFirst()
    if (!row) return null
    return row.ended_at === null ? 'on-air' : 'over'
  },
  /** Which of these are on air, or on their way there. */
  async onAirOf(broadcastIds: readonly string[]): Promise<Set<string>> {
    if (broadcastIds.length === 0) return new Set()
    const rows = await db
      .selectFrom('broadcasts')
      .select('id')
      .where('id', 'in', broadcastIds)
      .where('ended_at', 'is', null)
      .execute()
    return new Set(rows.map(({ id }) => id))
  },
  async countOnAir(workspaceId: string): Promise<number> {
    const row = await db
      .selectFrom('broadcasts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', workspaceId)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(row.count)
  },
  /** At once, or at the end of the pass. Null: it has ended, or somebody has asked for its end before. */
  async askScheduledEnd(broadcastId: string, atPass: boolean): Promise<ScheduledEnd | null> {
    return atomically(db, async (inside) => {
      const row = await inside
        .selectFrom('broadcasts')
        .select(['source_kind', 'desired'])
        .where('id', '=', broadcastId)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      if (!row || row.desired === 'stopped') return null
      const desired = atPass && !ONLINE_KINDS.includes(row.source_kind) ? 'ending' : 'stopped'
      await inside
        .updateTable('broadcasts')
        .set({ desired, end_cause: SCHEDULE_ENDED })
        .where('id', '=', broadcastId)
        .where('desired', '<>', 'stopped')
        .where('ended_at', 'is', null)
        .execute()
      await tellStreams(inside, sql`broadcast_id = ${broadcastId}`)
      const streams = await inside.selectFrom('streams').select('id').where('broadcast_id', '=', broadcastId).execute()
      return { desired, streamIds: streams.map(({ id }) => id) }
    })
  },
})
