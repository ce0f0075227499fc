import { setImmediate as anotherTurn } from 'node:timers/promises'
import type { Platform } from '@siarin/contracts/platforms'
import type { Selectable, SelectQueryBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Database } from '../../platform/db/schema.ts'
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
}

export interface ToldSpan {
  readonly id: number
  readonly streamNo: number
  readonly isRun: boolean
  readonly beganAt: number
  readonly endedAt: number | null
  readonly reason: string | null
  readonly planned: boolean
  readonly outcome: string | null
}

export type LivesReads = ReturnType<typeof createLivesReads>

/** So many streams at once: everything else gets its turn in between. */
const SLICE = 200
/** The newest of a slice. A line that breaks every few seconds makes tens of thousands a day. */
const SPANS_AT_ONCE = 20
const MOST_SPANS = 20_000
/** What one answer is made of. A workspace that has more sees the newest. */
const MOST_STREAMS = 5_000

const toldStream = (row: Selectable<StatStreamTable>): ToldStream => ({
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
})

const newestOf = async <Row>(spans: SelectQueryBuilder<Database, 'stat_spans', Row>): Promise<Row[]> =>
  (await spans.orderBy('began_at', 'desc').orderBy('id', 'desc').limit(MOST_SPANS).execute()).reverse()

const toldSpan = (row: Selectable<StatSpanTable>): ToldSpan => ({
  id: row.id,
  streamNo: row.stream_no,
  isRun: row.kind === 'run',
  beganAt: row.began_at,
  endedAt: row.ended_at,
  reason: row.reason,
  planned: row.planned === 1,
  outcome: row.outcome,
})

/** Every question is asked by workspace; spans by the streams that were found so. */
export function createLivesReads(db: Db) {
  const ofWorkspace = (workspaceId: string) =>
    db.selectFrom('stat_streams').selectAll().where('user_id', '=', workspaceId)
  return {
    /** Those that were wanted in this time, newest first. */
    async between(workspaceId: string, fromMs: number, toMs: number): Promise<ToldStream[]> {
      const rows = await ofWorkspace(workspaceId)
        .where('asked_at', '<', toMs)
        .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', fromMs)]))
        .orderBy('asked_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MOST_STREAMS)
        .execute()
      return rows.map(toldStream)
    },
    async wanted(workspaceId: string): Promise<ToldStream[]> {
      const rows = await ofWorkspace(workspaceId).where('ended_at', 'is', null).orderBy('id').limit(SLICE).execute()
      return rows.map(toldStream)
    },
    async stream(workspaceId: string, streamId: string): Promise<ToldStream | null> {
      const row = await ofWorkspace(workspaceId).where('stream_id', '=', streamId).executeTakeFirst()
      return row ? toldStream(row) : null
    },
    /** All streams of a broadcast, by its id or by that of one of them, in the order in which they were asked for. */
    async broadcast(workspaceId: string, id: string): Promise<ToldStream[]> {
      const one = await ofWorkspace(workspaceId)
        .where(({ eb, or }) => or([eb('broadcast_id', '=', id), eb('stream_id', '=', id)]))
        .limit(1)
        .executeTakeFirst()
      if (!one) return []
      const rows = await ofWorkspace(workspaceId)
        .where('broadcast_id', '=', one.broadcast_id)
        .orderBy('id')
        .limit(SLICE)
        .execute()
      return rows.map(toldStream)
    },
    async ofBroadcasts(workspaceId: string, ids: readonly string[]): Promise<ToldStream[]> {
      const found: ToldStream[] = []
      for (let first = 0; first < ids.length; first += SLICE) {
        const rows = await ofWorkspace(workspaceId)
          .where('broadcast_id', 'in', ids.slice(first, first + SLICE))
          .orderBy('id')
          .limit(MOST_STREAMS)
          .execute()
        for (const row of rows) found.push(toldStream(row))
      }
      return found
    },
    /** In order of time for each stream. */
    async spans(streams: readonly ToldStream[], fromMs: number, toMs: number): Promise<ToldSpan[]> {
      const found: ToldSpan[] = []
      for (let first = 0; first < streams.length; first += SPANS_AT_ONCE) {
        if (first > 0) await anotherTurn()
        const numbers = streams.slice(first, first + SPANS_AT_ONCE).map(({ no }) => no)
        const touching = db
          .selectFrom('stat_spans')
          .selectAll()
          .where('stream_no', 'in', numbers)
          .where('began_at', '<', toMs)
          .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>=', fromMs)]))
        // In the order of the index, so that nothing is sorted.
        const byStream = touching.orderBy('stream_no').orderBy('began_at').orderBy('id')
        const rows = await byStream.limit(MOST_SPANS + 1).execute()
        const isWhole = rows.length <= MOST_SPANS
        for (const row of isWhole ? rows : await newestOf(touching)) found.push(toldSpan(row))
      }
      return found
    },
  }
}
