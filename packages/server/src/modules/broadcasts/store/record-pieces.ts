import type { Selectable } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { SentPieceTable } from '../../../platform/db/tables/recordings.ts'
import { videoUses } from '../../library/video-uses.repo.ts'

/** What a recorded stream has begun to send. */
interface NewPiece {
  /** Where it is the first of its session. */
  readonly at: number
  readonly session: string
  readonly reason: string | null
  readonly videoId: string
  readonly filename: string
  readonly key: string
  readonly tailKey: string | null
  /** `LoopList` of media as JSON. */
  readonly list: string
  readonly looping: boolean
  readonly fromMs: number
  readonly outFromMs: number
}

/**
 * For a recording, written with the change that it tells of. `endOutMs`: how far the piece before came, where that was in another session, or
 * nothing follows.
 */
export interface PieceEvent {
  readonly at: number
  readonly piece: NewPiece | null
  readonly endOutMs: number | null
}

/** Two programs that look at one ffmpeg see the same join within so much. */
const SAME_JOIN_MS = 50

/** A recording keeps its videos by this name. */
export const keptFor = (broadcastId: string): string => `recording:${broadcastId}`

/** In the transaction of the change. */
export async function recordPieces(
  inside: Db,
  stream: { readonly id: string; readonly broadcastId: string; readonly userId: string },
  events: readonly PieceEvent[],
): Promise<void> {
  for (const event of events) await recordPiece(inside, stream, event)
}

async function recordPiece(
  inside: Db,
  stream: { readonly id: string; readonly broadcastId: string; readonly userId: string },
  { piece, endOutMs }: PieceEnd,
): Promise<void> {
  const last = await inside
    .selectFrom('sent_pieces')
    .select(['number', 'at', 'session', 'key', 'out_from_ms', 'ms'])
    .where('stream_id', '=', stream.id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isOpen = last !== undefined && last.ms === null
  // The program has found its ffmpeg again.
  if (isOpen && piece && isSamePiece(last, piece)) return
  const before = last && { ...last, ms: last.ms ?? lastedMs(last, { piece, endOutMs }) }
  if (isOpen) {
    await inside
      .updateTable('sent_pieces')
      .set({ ms: before?.ms ?? 0 })
      .where('stream_id', '=', stream.id)
      .where('number', '=', last.number)
      .execute()
  }
  // A video that was deleted while it played cannot be kept any more.
  if (!piece || !(await videoUses(inside).holds(piece.videoId))) return
  await inside
    .insertInto('sent_pieces')
    .values({
      ...{ stream_id: stream.id, number: (last?.number ?? 0) + 1, broadcast_id: stream.broadcastId },
      ...{ user_id: stream.userId, at: beganAt(before, piece), session: piece.session, reason: piece.reason },
      ...{ video_id: piece.videoId, filename: piece.filename, key: piece.key, tail_key: piece.tailKey },
      ...{ list: piece.list, looping: Number(piece.looping), from_ms: piece.fromMs, out_from_ms: piece.outFromMs },
      ms: null,
    })
    .execute()
  const use = { video_id: piece.videoId, used_by: keptFor(stream.broadcastId), user_id: stream.userId }
  await videoUses(inside).add([use])
}

type PieceEnd = Pick<PieceEvent, 'piece' | 'endOutMs'>
type LastPiece = Pick<Selectable<SentPieceTable>, 'at' | 'session' | 'key' | 'out_from_ms'>

/** Within a session a piece ends where the next one begins: a program that has just found its ffmpeg again knows of no other end. */
function lastedMs(last: LastPiece, { piece, endOutMs }: PieceEnd): number {
  const toMs = piece?.session === last.session ? piece.outFromMs : (endOutMs ?? piece?.outFromMs)
  return Math.max(0, (toMs ?? last.out_from_ms) - last.out_from_ms)
}

/**
 * By the wall clock a join is seen at the next poll only, some tenths of a second off. Within a session ffmpeg's own time says how much later
 * than the piece before it was: there is no gap, and nothing twice. Whole milliseconds, of which none is lost over thousands of pieces.
 * A new session never begins before the end of the one before: the clock was set back then, and pieces are found by their time.
 */
export function beganAt(
  last: (Omit<LastPiece, 'key'> & { readonly ms: number }) | undefined,
  piece: Pick<NewPiece, 'at' | 'session' | 'outFromMs'>,
): number {
  if (!last) return piece.at
  const lastAt = Number(last.at)
  if (last.session !== piece.session) return Math.max(piece.at, Math.ceil(lastAt + last.ms))
  return lastAt + Math.max(0, Math.floor(piece.outFromMs) - Math.floor(last.out_from_ms))
}

const isSamePiece = (last: LastPiece, piece: NewPiece): boolean =>
  last.session === piece.session &&
  last.key === piece.key &&
  Math.abs(last.out_from_ms - piece.outFromMs) < SAME_JOIN_MS
