import { readState } from '@siarin/media/stream-state'
import type { Db } from '../../../platform/db/database.ts'
import { nextStep } from '../../../platform/small-steps.ts'
import { isWanted } from './wanted-streams.ts'

/** A stream as its row tells of it now. */
export interface StreamLife {
  readonly streamId: string
  readonly broadcastId: string
  readonly userId: string
  /** Its title, or else the name of what it plays. */
  readonly title: string
  readonly platform: string
  /** Only a saved target has one. */
  readonly targetName: string | null
  readonly askedAt: number
  readonly firstLiveAt: number | null
  /** Since when it is on air without a break; null: it is not. */
  readonly liveSince: number | null
  /** Since when it is off air after it was on; null: it is on air, or never was. */
  readonly offAirSince: number | null
  readonly reason: string | null
  /** How often it was on air again. */
  readonly reconnects: number
}

/** For analytics: these streams, or all that are wanted. Those that are gone are left out. */
export async function streamLives(db: Db, which: readonly string[] | 'wanted'): Promise<StreamLife[]> {
  if (which !== 'wanted' && which.length === 0) return []
  const rows = await db
    .selectFrom('streams')
    .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
    .select(['streams.id', 'broadcasts.id as broadcastId', 'broadcasts.user_id as userId', 'broadcasts.title'])
    .select(['streams.source', 'platform', 'target_name', 'streams.created_at', 'live_since', 'state', 'reason'])
    .$if(which === 'wanted', (query) => query.where(isWanted))
    .$if(which !== 'wanted', (query) => query.where('streams.id', 'in', [...which]))
    .execute()
  return rows.map(({ id, title, source, target_name, created_at, live_since, state, ...row }) => ({
    ...row,
    streamId: id,
    title: title || source,
    targetName: target_name,
    askedAt: created_at,
    ...timesOf(state, live_since),
  }))
}

function timesOf(text: string, liveSince: number | null) {
  const state = readState(text)
  const firstLiveAt = state.firstLiveMs ?? null
  if (state.at === 'ended') return { firstLiveAt, liveSince: null, offAirSince: null, reconnects: 0 }
  const isLive = state.at === 'live'
  return {
    firstLiveAt,
    liveSince: isLive ? liveSince : null,
    offAirSince: isLive || firstLiveAt === null ? null : state.offAirSinceMs,
    reconnects: state.reconnects,
  }
}

export interface StreamEventRow {
  readonly streamId: string
  readonly at: number
  readonly kind: string
  readonly reason: string | null
}

/** The time line of these streams, the newest `limit` of it, oldest first. */
export async function timelineOf(db: Db, streamIds: readonly string[], limit: number): Promise<StreamEventRow[]> {
  let newest: StreamEventRow[] = []
  // One by one: for all of them together, all that there ever was would be sorted.
  for (const streamId of streamIds) {
    await nextStep()
    const oldest = newest.length < limit ? undefined : newest[0]
    const rows = await db
      .selectFrom('stream_events')
      .select(['stream_id as streamId', 'at', 'kind', 'reason'])
      .where('stream_id', '=', streamId)
      .$if(oldest !== undefined, (query) => query.where('at', '>=', oldest?.at ?? 0))
      .orderBy('at', 'desc')
      .limit(limit)
      .execute()
    newest = [...newest, ...rows.reverse()].sort((one, other) => one.at - other.at).slice(-limit)
  }
  return newest
}
