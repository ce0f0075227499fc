import type { LoopList } from '@siarin/media/loop-plan'
import type { Db } from '../../platform/db/database.ts'

/** What a stream sent without a break of one clip. A loop is one piece however often it plays. */
export interface SentPiece {
  readonly streamId: string
  /** Rises by one with each piece of the stream. */
  readonly number: number
  readonly at: number
  /** Pieces of one session follow each other without a break. */
  readonly session: string
  /** Why the stream was off air before it, as a code. */
  readonly reason: string | null
  readonly videoId: string
  readonly filename: string
  readonly key: string
  readonly tailKey: string | null
  readonly list: LoopList
  readonly looping: boolean
  /** Where in the pass it begins. */
  readonly fromMs: number
  readonly ms: number
}

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

/** What recordings ask of broadcasts, also within a transaction. */
export type Sent = (db: Db) => {
  /** All that was sent between two moments; the streams in the order in which they were asked for, each from its beginning. */
  piecesOf(broadcastId: string, fromAt: number, toAt: number | null): Promise<SentPiece[]>
  /** Null: it is gone. */
  broadcastOf(broadcastId: string): Promise<SentBroadcast | null>
  /** The broadcasts of these streams that are recorded. */
  recordedOf(streamIds: readonly string[]): Promise<SentBroadcast[]>
  /** Those that had ended by then; null: all. */
  dropPieces(broadcastId: string, beforeAt: number | null): Promise<void>
  dropPiecesOf(userId: string): Promise<void>
  /** While a broadcast is on air it keeps the videos that its recordings will need. */
  releaseVideos(broadcastId: string): Promise<void>
  /** Whether a master is needed to play what was sent. */
  isKeyKept(key: string): Promise<boolean>
}
