import { readState, type StreamState } from '@siarin/media/stream-state'
import { sql } from 'kysely'
import { atomically, type Db } from '../../../platform/db/database.ts'
import { tellStreams } from './broadcast-end.ts'
import { isWanted, lastEnded } from './wanted-streams.ts'

/** Why a broadcast ended whose schedule says so. */
export const SCHEDULE_ENDED = 'schedule-ended'
/** An online source has no end of a pass. */
const ONLINE_KINDS = ['hls', 'bigo']

/** What is wanted of a broadcast whose schedule ends it, at once or at the end of the pass. */
export const desiredEnd = (atPass: boolean, sourceKind: string): 'stopped' | 'ending' =>
  atPass && !ONLINE_KINDS.includes(sourceKind) ? 'ending' : 'stopped'

export interface ScheduledEnd {
  readonly desired: 'stopped' | 'ending'
  readonly streamIds: readonly string[]
}

/**
 * How a broadcast fares that was started. 'tried': one of its targets has not taken it yet. 'failed': it is over and no target ever took
 * it. 'settled': anything else; `reason` then tells of a target that never took it while another did.
 */
export interface Outlook {
  readonly at: 'tried' | 'failed' | 'settled'
  readonly reason: string | null
}

/** What a schedule starts has fewer targets. Where more have ended, its owner takes targets in and out. */
export const MOST_ENDED_JUDGED = 100

const wasOnAir = (state: StreamState): boolean => (state.firstLiveMs ?? null) !== null

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
  /** How many places of the plan are taken, but for those of these broadcasts. */
  async countOnAir(workspaceId: string, except: readonly string[] = []): Promise<number> {
    const row = await db
      .selectFrom('streams')
      .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('broadcasts.user_id', '=', workspaceId)
      .where(isWanted)
      .$if(except.length > 0, (query) => query.where('broadcasts.id', 'not in', except))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  },
  /** Whether one of these targets is sent to, but for by these broadcasts. */
  async isTargetInUse(
    workspaceId: string,
    targetMarks: readonly string[],
    except: readonly string[],
  ): Promise<boolean> {
    if (targetMarks.length === 0) return false
    const row = await db
      .selectFrom('streams')
      .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
      .select('streams.id')
      .where('broadcasts.user_id', '=', workspaceId)
      .where('target_mark', 'in', targetMarks)
      .where(isWanted)
      .$if(except.length > 0, (query) => query.where('broadcasts.id', 'not in', except))
      .executeTakeFirst()
    return row !== undefined
  },
  outlookOf: (broadcastId: string): Promise<Outlook> => outlookOf(db, broadcastId),
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
      const desired = desiredEnd(atPass, row.source_kind)
      await inside
        .updateTable('broadcasts')
        .set({ desired, end_cause: SCHEDULE_ENDED })
        .where('id', '=', broadcastId)
        .where('desired', '<>', 'stopped')
        .where('ended_at', 'is', null)
        .execute()
      await tellStreams(inside, sql`broadcast_id = ${broadcastId}`)
      const own = inside.selectFrom('streams').select('id').where('broadcast_id', '=', broadcastId)
      const streams = await own.where(isWanted).execute()
      return { desired, streamIds: streams.map(({ id }) => id) }
    })
  },
})

async function outlookOf(db: Db, broadcastId: string): Promise<Outlook> {
  const own = db.selectFrom('streams').where('broadcast_id', '=', broadcastId)
  // In this order: one that ends in between is in both, and none is in neither.
  const wanted = await own.where(isWanted).select(['phase', 'state', 'reason']).execute()
  const last = lastEnded(db, broadcastId, MOST_ENDED_JUDGED)
  const ended = await last.select(['phase', 'state', 'reason']).execute()
  const streams = [...wanted, ...ended].map((row) => ({ ...row, state: readState(row.state) }))
  const neverOnAir = streams.filter(({ state }) => !wasOnAir(state))
  const tried = neverOnAir.filter(({ phase }) => phase !== 'ended')
  const failed = neverOnAir.filter(({ state }) => state.at === 'ended' && state.reason === 'failed')
  const reason = [...failed, ...tried].find((stream) => stream.reason !== null)?.reason ?? null
  if (tried.length > 0) return { at: 'tried', reason }
  // One that its owner took out, or stopped, is not to be started again.
  const isAll = failed.length === streams.length && ended.length < MOST_ENDED_JUDGED
  return { at: failed.length > 0 && isAll ? 'failed' : 'settled', reason }
}
