import type { Clip } from '../sequence/clips.ts'
import type { Decision } from './advance.ts'
import type { BegunSession, Effect, KeeperEvent, KeeperState, Surroundings } from './keeper-state.ts'

/** What a stream sends of one clip without a break. A loop is one piece, however often it plays. */
export interface SentPiece {
  /** Which ffmpeg sends it. */
  readonly session: string
  readonly clip: Clip
  /** Where in the clip ffmpeg was when its own time was zero: below zero where the clip joined in later. */
  readonly fromMs: number
}

/** For a recording: a piece is over, another one has begun, or both. */
export interface PieceNews {
  readonly at: number
  readonly piece: (SentPiece & { readonly beganAt: number; readonly reason: string | null }) | null
  /** ffmpeg's output time at the end of the piece before. It counts where that was in another session, or nothing follows. */
  readonly endOutMs: number | null
}

/** Adds to a decision which piece of a recording it ends, and which it begins. Both are written with the state. */
export function withPieces(before: KeeperState, decision: Decision, event: KeeperEvent, now: Surroundings): Decision {
  if (!now.isRecorded) return decision
  const { state } = decision
  const piece = pieceOf(state)
  // Its ffmpeg ended while no program was there.
  const isTakenOver = event.type === 'taken-over' && state.session === null && (before.sentMs ?? 0) > 0
  const passed = event.type === 'taken-over' && event.session ? passedPieces(event.session, now) : []
  const unseen = before.piece ? null : unseenPiece(before, event)
  if (isSame(before.piece, piece) && !isTakenOver && !unseen) return decision
  const begin = (begun: SentPiece, outMs: number, reason: string | null) => ({
    ...begun,
    ...{ beganAt: Math.round(believedMs(now) - outMs + outFromMs(begun.fromMs)), reason },
  })
  const isWithoutReason = before.piece?.session === piece?.session || passed.length > 0
  const next = piece && begin(piece, state.sentMs ?? 0, isWithoutReason ? null : before.lastReason)
  const endOutMs = unseen ? unseen.outMs : endOf(before, event, piece)
  const seenLate: PieceNews[] = unseen
    ? [{ at: now.nowMs, piece: begin(unseen, unseen.outMs, before.lastReason), endOutMs: null }]
    : []
  const news: PieceNews = { at: now.nowMs, piece: next, endOutMs }
  return { state: { ...state, piece }, effects: saved(decision.effects, [...passed, ...seenLate, news]) }
}

/** What is less may have gone no further than into this machine's buffers, by an ffmpeg that was refused. */
const LEAST_UNSEEN_MS = 1_000

/** A session may end before anything was seen of it, on a very busy machine or by a Stop at once: then its last words tell what it sent. */
function unseenPiece(before: KeeperState, event: KeeperEvent): (SentPiece & { readonly outMs: number }) | null {
  if (event.type !== 'exited' || (event.outTimeMs ?? 0) < LEAST_UNSEEN_MS) return null
  const outMs = event.outTimeMs ?? 0
  const piece = pieceOf({ ...before, sentMs: outMs })
  // Nobody knows what a list sent after its first item.
  return piece && { ...piece, outMs: before.place ? Math.min(outMs, piece.clip.durationMs - piece.fromMs) : outMs }
}

/** A list that ran on while no program was there. */
function passedPieces({ pid, birth, passed = [], outTimeMs = 0 }: BegunSession, now: Surroundings): PieceNews[] {
  const { nowMs } = now
  return passed.map(({ clip, fromMs }) => {
    const beganAt = Math.round(believedMs(now) - outTimeMs + outFromMs(fromMs))
    return { at: nowMs, endOutMs: null, piece: { session: `${pid} ${birth}`, clip, fromMs, beganAt, reason: null } }
  })
}

/** All that a recording is made of lies on one time line: a step of the clock that is taken back again must not tear it. */
const believedMs = ({ nowMs, clockErrorMs = 0 }: Surroundings): number => nowMs - clockErrorMs

/** When the first moment of the clip was sent, in ffmpeg's output time. */
export const outFromMs = (fromMs: number): number => (fromMs < 0 ? -fromMs : 0)

/** Nothing counts as sent before ffmpeg's time moves, and an online source has no file. */
function pieceOf({ session, clip, position, sentMs }: KeeperState): SentPiece | null {
  if (!session || !clip?.key || sentMs === null || sentMs <= 0) return null
  return { session: `${session.pid} ${session.birth}`, clip, fromMs: position.fromMs }
}

const isSame = (one: SentPiece | null, other: SentPiece | null): boolean =>
  one === other ||
  (one !== null &&
    other !== null &&
    one.session === other.session &&
    one.clip.key === other.clip.key &&
    one.fromMs === other.fromMs)

function endOf(before: KeeperState, event: KeeperEvent, next: SentPiece | null): number | null {
  if (next && before.piece?.session === next.session) return null
  const lastSeen = event.type === 'exited' || event.type === 'taken-over' ? (event.outTimeMs ?? null) : null
  return Math.max(before.sentMs ?? 0, lastSeen ?? 0)
}

/** With the state that says so, before anything else is done. */
function saved(effects: readonly Effect[], pieces: readonly PieceNews[]): readonly Effect[] {
  const at = effects.findIndex(({ type }) => type === 'save')
  const save = effects[at]
  if (save?.type !== 'save') return [{ type: 'save', news: [], pieces }, ...effects]
  return effects.with(at, { ...save, pieces })
}
