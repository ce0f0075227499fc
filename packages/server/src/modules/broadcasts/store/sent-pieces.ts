import { parseLoopList } from '@siarin/media/loop-list'
import type { LoopList } from '@siarin/media/loop-plan'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { deleteDeep, readSchema } from '../../../platform/db/delete-deep.ts'
import type { SentPieceTable } from '../../../platform/db/tables/recordings.ts'
import { videoUses } from '../../library/video-uses.repo.ts'
import { keptFor } from './record-pieces.ts'
import { hasEnded, isWanted, lastEnded } from './wanted-streams.ts'

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
  /** Null: it cannot be read, and the piece is not played. */
  readonly list: LoopList | null
  readonly looping: boolean
  readonly fromMs: number
  readonly ms: number
  /** It goes on. */
  readonly isOpen: boolean
}

export interface SentStream {
  readonly id: string
  readonly sentMs: number
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

/** Far more than a broadcast has at once: so many of those that are over count by whatever clock they ended. */
const MOST_BY_ANY_CLOCK = 200
/** When a stream ended and how far its last piece reaches are told by two clocks. */
const CLOCKS_DIFFER_MS = 600_000

/** For recordings: what was sent, and of which broadcast. */
export const sentPieces = (db: Db) => ({
  ...pieces(db),
  ...drops(db),

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

  /** While a broadcast is on air it keeps the videos that its recordings will need. */
  async releaseVideos(broadcastId: string): Promise<void> {
    await videoUses(db).replace(keptFor(broadcastId), '', [])
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

/** Page by page: a broadcast may have hundreds of thousands. */
const pieces = (db: Db) => ({
  /** Those that may have sent something since then, in the order in which they were asked for; null: those that were on air last. */
  async streamsOf(broadcastId: string, sinceAt: number | null): Promise<SentStream[]> {
    const columns = ['id', 'sent_ms as sentMs', 'created_at', 'slot'] as const
    const own = db.selectFrom('streams').where('broadcast_id', '=', broadcastId).select(columns)
    const last = lastEnded(db, broadcastId, MOST_BY_ANY_CLOCK).select(columns).as('ended')
    const since = own.where(hasEnded).where('ended_at', '>=', Math.floor(sinceAt ?? 0) - CLOCKS_DIFFER_MS)
    const asked = own
      .where(isWanted)
      .union(db.selectFrom(last).selectAll('ended'))
      .$if(sinceAt !== null, (query) => query.union(since))
    return db
      .selectFrom(asked.as('asked'))
      .select(['id', 'sentMs'])
      .orderBy('created_at')
      .orderBy('slot')
      .orderBy('id')
      .execute()
  },

  /** When the first moment was sent, of what was sent before then; null: nothing was. */
  async firstAt(broadcastId: string, beforeAt: number): Promise<number | null> {
    const row = await db
      .selectFrom('sent_pieces')
      .select(({ fn }) => fn.min('at').as('at'))
      .where('broadcast_id', '=', broadcastId)
      .where('at', '<', beforeAt)
      .executeTakeFirst()
    return row?.at == null ? null : Number(row.at)
  },

  /** The numbers of the first and the last piece that may have been on air between two moments; null: there is none. */
  async spanOf(streamId: string, fromAt: number, toAt: number | null): Promise<{ first: number; last: number } | null> {
    const own = db.selectFrom('sent_pieces').where('stream_id', '=', streamId)
    const before = await own
      .select('number')
      .where('at', '<=', fromAt)
      .orderBy('at', 'desc')
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    const inside = await own
      .select(({ fn }) => [fn.min('number').as('first'), fn.max('number').as('last')])
      .where('at', '>', fromAt)
      .$if(toAt !== null, (query) => query.where('at', '<', toAt ?? 0))
      .executeTakeFirst()
    const numbers = [before?.number, inside?.first, inside?.last].flatMap((each) =>
      each == null ? [] : [Number(each)],
    )
    return numbers.length > 0 ? { first: Math.min(...numbers), last: Math.max(...numbers) } : null
  },

  /** The next pieces of a stream, in order. One that goes on reaches as far as its stream has come. */
  async piecesOf(
    { id, sentMs }: SentStream,
    { after, last, limit }: { after: number; last: number | null; limit: number },
  ): Promise<SentPiece[]> {
    const rows = await db
      .selectFrom('sent_pieces')
      .selectAll()
      .where('stream_id', '=', id)
      .where('number', '>', after)
      .$if(last !== null, (query) => query.where('number', '<=', last ?? 0))
      .orderBy('number')
      .limit(limit)
      .execute()
    return rows.map((row) => toPiece(row, sentMs))
  },

  /** How far a stream has come: its last piece; null: it has sent nothing. */
  async lastOf({ id, sentMs }: SentStream): Promise<SentPiece | null> {
    const row = await db
      .selectFrom('sent_pieces')
      .selectAll()
      .where('stream_id', '=', id)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row ? toPiece(row, sentMs) : null
  },
})

const drops = (db: Db) => ({
  /** Removes a few of a broadcast, the oldest first: those that had ended by then; null: any. Returns how many there were. */
  async dropSome(broadcastId: string, beforeAt: number | null, limit: number): Promise<number> {
    const rows = await db
      .selectFrom('sent_pieces')
      .select(['stream_id', 'number'])
      .where('broadcast_id', '=', broadcastId)
      .$if(beforeAt !== null, (query) =>
        query.where('at', '<', beforeAt ?? 0).where(sql<boolean>`ms is not null and at + ms <= ${beforeAt ?? 0}`),
      )
      .orderBy('at')
      .limit(limit)
      .execute()
    if (rows.length === 0) return 0
    const keys = rows.map(({ stream_id, number }) => sql`(cast(${stream_id} as text), cast(${number} as integer))`)
    await sql`delete from sent_pieces where (stream_id, number) in (values ${sql.join(keys)})`.execute(db)
    return rows.length
  },

  /** Those that had ended by then; null: all. */
  async dropPieces(broadcastId: string, beforeAt: number | null): Promise<void> {
    await db
      .deleteFrom('sent_pieces')
      .where('broadcast_id', '=', broadcastId)
      .$if(beforeAt !== null, (query) =>
        query.where('at', '<', beforeAt ?? 0).where(sql<boolean>`ms is not null and at + ms <= ${beforeAt ?? 0}`),
      )
      .execute()
  },

  async dropPiecesOf(userId: string): Promise<void> {
    await deleteDeep(db, await readSchema(db), { table: 'sent_pieces', where: sql`user_id = ${userId}` })
  },
})

const toPiece = (row: Selectable<SentPieceTable>, sentMs: number): SentPiece => ({
  ...{ streamId: row.stream_id, number: row.number, at: Number(row.at), session: row.session, reason: row.reason },
  ...{ videoId: row.video_id, filename: row.filename, key: row.key, tailKey: row.tail_key },
  ...{ list: parseLoopList(row.list), looping: row.looping === 1, fromMs: row.from_ms },
  ...{ ms: row.ms ?? Math.max(0, Number(sentMs) - row.out_from_ms), isOpen: row.ms === null },
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
