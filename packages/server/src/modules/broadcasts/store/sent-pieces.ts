import { parseLoopList } from '@siarin/media/loop-list'
import type { LoopList } from '@siarin/media/loop-plan'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { videoUses } from '../../library/video-uses.repo.ts'
import { keptFor } from './record-pieces.ts'

/** What a stream sent without a break of one clip. */
export interface SentPiece {
  readonly streamId: string
  readonly number: number
  readonly at: number
  readonly session: string
  readonly reason: string | null
  readonly videoId: string
  readonly filename: string
  readonly key: string
  readonly tailKey: string | null
  readonly list: LoopList
  readonly looping: boolean
  readonly fromMs: number
  readonly ms: number
}

/** A broadcast, as its recordings know it. */
export interface SentBroadcast {
  readonly id: string
  readonly userId: string
  readonly title: string | null
  readonly source: string
  readonly isOnline: boolean
  readonly startedAt: number
  /** Null: it is wanted. */
  readonly endedAt: number | null
  readonly isRecorded: boolean
}

/** For recordings: what was sent, and of which broadcast. */
export const sentPieces = (db: Db) => ({
  /** All that was sent between two moments; the streams in the order in which they were asked for, each from its beginning. */
  async piecesOf(broadcastId: string, fromAt: number, toAt: number | null): Promise<SentPiece[]> {
    const rows = await db
      .selectFrom('sent_pieces')
      .leftJoin('streams', 'streams.id', 'sent_pieces.stream_id')
      .selectAll('sent_pieces')
      .select('streams.sent_ms')
      .where('sent_pieces.broadcast_id', '=', broadcastId)
      .$if(toAt !== null, (query) => query.where('sent_pieces.at', '<', toAt ?? 0))
      // One that goes on reaches to now.
      .where(sql<boolean>`(sent_pieces.ms is null or sent_pieces.at + sent_pieces.ms > ${fromAt})`)
      .orderBy('streams.created_at')
      .orderBy('streams.slot')
      .orderBy('sent_pieces.stream_id')
      .orderBy('sent_pieces.number')
      .execute()
    return rows.flatMap((row): SentPiece[] => {
      const list = parseLoopList(row.list)
      const ms = row.ms ?? Math.max(0, Number(row.sent_ms ?? 0) - row.out_from_ms)
      if (!list || !(ms > 0) || Number(row.at) + ms <= fromAt) return []
      return [
        {
          ...{ streamId: row.stream_id, number: row.number, at: Number(row.at), session: row.session },
          ...{ reason: row.reason, videoId: row.video_id, filename: row.filename, key: row.key },
          ...{ tailKey: row.tail_key, list, looping: row.looping === 1, fromMs: row.from_ms, ms },
        },
      ]
    })
  },

  /** Null: it is gone. */
  async broadcastOf(broadcastId: string): Promise<SentBroadcast | null> {
    const row = await broadcasts(db).where('broadcasts.id', '=', broadcastId).executeTakeFirst()
    return row ? toBroadcast(row) : null
  },

  /** The broadcasts of these streams that are recorded. */
  async recordedOf(streamIds: readonly string[]): Promise<SentBroadcast[]> {
    if (streamIds.length === 0) return []
    const rows = await broadcasts(db)
      .where('broadcasts.record', '=', 1)
      .where('broadcasts.id', 'in', ({ selectFrom }) =>
        selectFrom('streams')
          .select('streams.broadcast_id')
          .where('streams.id', 'in', [...new Set(streamIds)])
          .where('streams.broadcast_id', 'is not', null)
          .$narrowType<{ broadcast_id: string }>(),
      )
      .execute()
    return rows.map(toBroadcast)
  },

  /** Those that had ended by then; null: all. */
  async dropPieces(broadcastId: string, beforeAt: number | null): Promise<void> {
    await db
      .deleteFrom('sent_pieces')
      .where('broadcast_id', '=', broadcastId)
      .$if(beforeAt !== null, (query) => query.where(sql<boolean>`ms is not null and at + ms <= ${beforeAt ?? 0}`))
      .execute()
  },

  /** While a broadcast is on air it keeps the videos that its recordings will need. */
  async releaseVideos(broadcastId: string): Promise<void> {
    await videoUses(db).replace(keptFor(broadcastId), '', [])
  },

  async dropPiecesOf(userId: string): Promise<void> {
    await db.deleteFrom('sent_pieces').where('user_id', '=', userId).execute()
  },

  /** Whether a master is needed to play what was sent. */
  async isKeyKept(key: string): Promise<boolean> {
    const row = await db
      .selectFrom('sent_pieces')
      .select('stream_id')
      .where('key', '=', key)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },
})

const broadcasts = (db: Db) =>
  db
    .selectFrom('broadcasts')
    .select(['id', 'user_id', 'title', 'source', 'source_kind', 'created_at', 'ended_at', 'record'])

type BroadcastColumns = Awaited<ReturnType<ReturnType<typeof broadcasts>['execute']>>[number]

const toBroadcast = (row: BroadcastColumns): SentBroadcast => ({
  ...{ id: row.id, userId: row.user_id, title: row.title, source: row.source },
  isOnline: row.source_kind !== 'video',
  startedAt: Number(row.created_at),
  endedAt: row.ended_at === null ? null : Number(row.ended_at),
  isRecorded: row.record === 1,
})
