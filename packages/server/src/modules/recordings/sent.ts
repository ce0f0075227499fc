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
  /** Null: it cannot be read, and the piece is not played. */
  readonly list: LoopList | null
  readonly looping: boolean
  /** Where in the pass it begins. */
  readonly fromMs: number
  readonly ms: number
  /** It goes on. */
  readonly isOpen: boolean
}

export interface SentStream {
  readonly id: string
  /** How far it has come. */
  readonly sentMs: number
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
  /** Those that may have sent something since then, in the order in which they were asked for; null: those that were on air last. */
  streamsOf(broadcastId: string, sinceAt: number | null): Promise<SentStream[]>
  /** When the first moment was sent, of what was sent before then; null: nothing was. */
  firstAt(broadcastId: string, beforeAt: number): Promise<number | null>
  /** The numbers of the first and the last piece that may have been on air between two moments; null: there is none. */
  spanOf(streamId: string, fromAt: number, toAt: number | null): Promise<{ first: number; last: number } | null>
  /** The next pieces of a stream, in order. */
  piecesOf(
    stream: SentStream,
    page: { readonly after: number; readonly last: number | null; readonly limit: number },
  ): Promise<SentPiece[]>
  /** Null: it has sent nothing. */
  lastOf(stream: SentStream): Promise<SentPiece | null>
  /** Null: it is gone. */
  broadcastOf(broadcastId: string): Promise<SentBroadcast | null>
  /** The broadcasts of these streams that are recorded. */
  recordedOf(streamIds: readonly string[]): Promise<SentBroadcast[]>
  /** Removes a few of a broadcast, the oldest first: those that had ended by then; null: any. Returns how many there were. */
  dropSome(broadcastId: string, beforeAt: number | null, limit: number): Promise<number>
  /** Those that had ended by then; null: all. */
  dropPieces(broadcastId: string, beforeAt: number | null): Promise<void>
  dropPiecesOf(userId: string): Promise<void>
  /** While a broadcast is on air it keeps the videos that its recordings will need. */
  releaseVideos(broadcastId: string): Promise<void>
  /** Whether a master is needed to play what was sent. */
  isKeyKept(key: string): Promise<boolean>
}
