import type { Platform } from '@siarin/contracts/platforms'
import type { Selectable } from 'kysely'
import type { StatSpanTable, StatStreamTable } from '../../platform/db/tables/analytics.ts'

/** A stream as it is told of. */
export interface ToldStream {
  readonly no: number
  readonly streamId: string
  readonly broadcastId: string
  readonly title: string
  readonly platform: Platform
  readonly targetName: string | null
  readonly askedAt: number
  readonly knownFrom: number
  readonly firstLiveAt: number | null
  readonly endedAt: number | null
  readonly endReason: string | null
  readonly endCause: string | null
  readonly schedule: { readonly id: string; readonly title: string; readonly dueAt: number } | null
  /** What its spans come to that are counted. */
  readonly onAirMs: number
  readonly incidents: number
  readonly longestRunMs: number
}

/** What a summary needs of a stream. */
export type ListedStream = Pick<
  ToldStream,
  'no' | 'broadcastId' | 'platform' | 'askedAt' | 'knownFrom' | 'endedAt' | 'onAirMs'
>

export interface ToldSpan {
  readonly id: number
  readonly streamNo: number
  readonly isRun: boolean
  readonly beganAt: number
  readonly endedAt: number | null
  readonly reason: string | null
  readonly planned: boolean
  readonly outcome: string | null
  /** See SPAN_COUNTED. */
  readonly counted: number
  /** How many incidents it stands for, and how long they lasted together; null: it is one. */
  readonly times: number
  readonly offAirMs: number | null
}

/** Behind which one the next page begins. */
export interface Place {
  readonly at: number
  readonly id: number
}

/** So many rows at once: everything else gets its turn in between. Somebody else's call has several statements, each of which waits for one page. */
export const PAGE = 250

export const toldStream = (row: Selectable<StatStreamTable>): ToldStream => ({
  no: row.id,
  streamId: row.stream_id,
  broadcastId: row.broadcast_id,
  title: row.title,
  platform: row.platform as Platform,
  targetName: row.target_name,
  askedAt: row.asked_at,
  knownFrom: row.known_from,
  firstLiveAt: row.first_live_at,
  endedAt: row.ended_at,
  endReason: row.end_reason,
  endCause: row.end_cause,
  schedule:
    row.schedule_id === null
      ? null
      : { id: row.schedule_id, title: row.schedule_title ?? '', dueAt: row.schedule_due_at ?? row.asked_at },
  onAirMs: Number(row.on_air_ms),
  incidents: Number(row.incidents),
  longestRunMs: Number(row.longest_run_ms),
})

export const toldSpan = (row: Selectable<StatSpanTable>): ToldSpan => ({
  id: row.id,
  streamNo: row.stream_no,
  isRun: row.kind === 'run',
  beganAt: row.began_at,
  endedAt: row.ended_at,
  reason: row.reason,
  planned: row.planned === 1,
  outcome: row.outcome,
  counted: row.counted,
  times: row.times,
  offAirMs: row.off_air_ms === null ? null : Number(row.off_air_ms),
})
