import type { PassedOver } from '@siarin/contracts/stream-event-texts'
import { initialState, readState, type StreamState } from '@siarin/media/stream-state'
import type { Place } from '../../playlists/next-item.ts'
import type { Following, PassedClip, SequencePosition } from '../sequence/clip-sequence.ts'
import type { Clip } from '../sequence/clips.ts'
import type { SlotEntry } from '../sequence/slots.ts'
import type { RecordedEvent, StreamRow, StreamSample } from '../store/streams.repo.ts'
import type { FailureReason } from './failure-reasons.ts'
import type { PieceNews, SentPiece } from './sent-pieces.ts'
import type { Verdict } from './watchdog.ts'

/** Everything that a keeper knows of its broadcast. `nextState` alone makes a new one. */
export interface KeeperState {
  readonly stream: StreamState
  /** The ffmpeg that sends it; null: none runs, or one is just being started. */
  readonly session: Session | null
  /** How many sessions this keeper has asked for: the number of the newest. */
  readonly sessions: number
  readonly restarts: number
  /** Time on air in all, without the stretch that runs now. */
  readonly onAirMs: number
  readonly sample: StreamSample
  readonly position: Position
  /** ffmpeg's output time, as last seen; null: its session has sent nothing yet. */
  readonly sentMs: number | null
  /** What it sends now, where that is recorded. */
  readonly piece: SentPiece | null
  /** Which item of a playlist plays; null: it plays none. */
  readonly place: Place | null
  /** What follows that item. 'end': nothing does, and it is over then; 'nothing': no item can be played now. Null: not known yet. */
  readonly nextPlace: Place | 'end' | 'nothing' | null
  /** Shortly before the item that plays ends, it was asked once more what follows. */
  readonly hasLookedAgain: boolean
  /** What was to follow before that was changed, the newest last: ffmpeg may have come to it just then. */
  readonly formerNexts: readonly ListEntry[]
  /** What ffmpeg reads, as it was told to it. */
  readonly reads: ListEntry | null
  /** What it read before. Where nobody says in time what follows, ffmpeg finds this in its slot and plays it once more. */
  readonly readBefore: ListEntry | null
  /** The video that its row names. */
  readonly videoId: string | null
  /** What plays, or played last. */
  readonly clip: Clip | null
  /** Comes at the end of what plays. */
  readonly nextClip: Clip | null
  /** In a new session: it is unlike what plays. */
  readonly needsNewSession: boolean
  readonly isJudgingSwap: boolean
  readonly onFallback: boolean
  /** Something its owner should know while all is well. */
  readonly note: string | null
  /** Why it was last off air. */
  readonly lastReason: string | null
  /** It is to end with its pass, and at this steady time at the latest; null: it may go on. */
  readonly endByMs: number | null
  /** The program ends, and what is just being started is left on air for its next start. */
  readonly isLeaving: boolean
}

/** A clip, and where in a playlist it stands; null: it plays none. */
export interface ListEntry {
  readonly clip: Clip
  readonly place: Place | null
}

/** Which item of its sequence plays, where in that it is, and where that was when its ffmpeg's time was zero. */
interface Position {
  readonly item: number
  readonly ms: number
  readonly fromMs: number
}

export interface Session {
  readonly number: number
  readonly pid: number
  readonly birth: string
  /** It ends soon, for a new one to begin. */
  readonly isRenewing: boolean
  readonly isCheckingSource: boolean
  /** Why we ended it; null: we did not. */
  readonly killedFor: FailureReason | null
}

export interface BegunSession extends Pick<Session, 'number' | 'pid' | 'birth'> {
  readonly clip: Clip
  readonly item: number
  readonly fromMs: number
  readonly place: Place | null
  /** What it was told to play next; null: the same again, or nobody knows. */
  readonly next?: Following | null
  /** What it comes to once more where nobody says in time what follows. */
  readonly before?: ListEntry | null
  /** What it has played since the row was written. */
  readonly passed?: readonly PassedClip[]
  /** In a loop that is taken over: the clip has taken the place of the one that its row names. */
  readonly isSwapped?: boolean
  /** In a loop that is taken over: what comes at the end of the clip that plays. */
  readonly asked?: Clip | null
  /** Its output time, where it is taken over. */
  readonly outTimeMs?: number
  readonly onFallback: boolean
  readonly note: string | null
}

/** What one look at a session's progress found. */
export interface Poll {
  readonly verdict: Verdict
  readonly bitrateKbps: number | null
  readonly speed: number | null
  readonly frames: number | null
  readonly outTimeMs: number
  readonly unsentBytes: number
  /** How long the clip that plays lasts, as exactly as is known by now. */
  readonly clipMs: number
  /** How long ago ffmpeg said so. */
  readonly saidAgoMs: number
  /** What was put where ffmpeg reads now; null: nobody knows. */
  readonly reads: SlotEntry | null
}

/** 'return': the source may be back. 'growth': it may be past the plan, or have to give its encoder up. */
type SourceCheck = 'return' | 'growth'

export type KeeperEvent =
  /**
   * A worker claimed the broadcast. `session`: what an earlier run of the program left on air. `outTimeMs`: how far that came, by its last
   * words, where it has ended since. `hasEnded`: it sent its video, which is played once, to the end.
   */
  | {
      readonly type: 'taken-over'
      readonly session: BegunSession | null
      readonly outTimeMs?: number | null
      readonly hasEnded?: boolean
    }
  | { readonly type: 'claimed' }
  | { readonly type: 'started'; readonly session: BegunSession }
  | { readonly type: 'start-failed'; readonly reason: FailureReason }
  /** Its end was asked for before its process began: there is none, and will be none. */
  | { readonly type: 'start-given-up' }
  /** `outTimeMs`: how far it came, by its last words; null: they cannot be read. */
  | {
      readonly type: 'exited'
      readonly session: number
      readonly reason: FailureReason
      readonly outTimeMs?: number | null
    }
  | { readonly type: 'polled'; readonly session: number; readonly poll: Poll }
  | { readonly type: 'lag-judged'; readonly session: number; readonly endsIt: boolean }
  | { readonly type: 'wait-over' }
  /** `cause`: where it is not its owner who wants it. */
  | { readonly type: 'stop-asked'; readonly cause: string | null }
  /** At the end of the pass. */
  | { readonly type: 'end-asked' }
  /** `cause`: null where it may go on after all. */
  | { readonly type: 'end-judged'; readonly cause: string | null }
  | { readonly type: 'swap-asked' }
  /** `after`: what played when that was asked. `wanted`: null where nothing else is to come. `follows`: it can, in the same session. */
  | {
      readonly type: 'swap-judged'
      readonly after: Clip | null
      readonly wanted: { readonly clip: Clip; readonly follows: boolean } | null
    }
  /** Null: it could not be found out now. `after`: which item played when that was asked. */
  | { readonly type: 'next-judged'; readonly after: Place; readonly next: Following | null }
  /** Items of the playlist cannot be played. */
  | { readonly type: 'passed-over'; readonly passed: PassedOver }
  /** The pass that was waited for has come to its end. */
  | { readonly type: 'pass-over'; readonly session: number }
  /** The clip could not be put where ffmpeg finds it. */
  | { readonly type: 'next-refused'; readonly clip: Clip | null }
  | { readonly type: 'source-check-due'; readonly check: SourceCheck }
  | { readonly type: 'source-checked'; readonly session: number; readonly needsNewSession: boolean }
  /** The program ends, the broadcast shall not. */
  | { readonly type: 'halt' }

/** What is to be done, in this order. Whatever takes time answers with an event. */
export type Effect =
  | {
      readonly type: 'save'
      readonly news: readonly RecordedEvent[]
      readonly swappedTo?: Clip
      readonly pieces?: readonly PieceNews[]
    }
  | { readonly type: 'claim' }
  | { readonly type: 'start'; readonly session: number; readonly position: SequencePosition }
  /** Unless its process has begun. */
  | { readonly type: 'give-up-start' }
  | { readonly type: 'stop' }
  | { readonly type: 'kill' }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'judge-lag'; readonly session: number }
  | { readonly type: 'judge-end' }
  | { readonly type: 'judge-swap'; readonly clip: Clip | null; readonly nextClip: Clip | null }
  /** `told`: what ffmpeg was told to play next; where that is as it was, there is nothing to judge. */
  | { readonly type: 'judge-next'; readonly place: Place; readonly clip: Clip; readonly told?: Clip }
  /** Null: nothing, and ffmpeg ends with what plays. */
  | { readonly type: 'play-next'; readonly next: ListEntry | null }
  /** The pass that plays ends in so long. */
  | { readonly type: 'await-pass'; readonly session: number; readonly ms: number }
  | { readonly type: 'check-source'; readonly check: SourceCheck; readonly session: number }
  | { readonly type: 'tell-relay'; readonly what: 'went-dry' | 'broke-off' }
  | { readonly type: 'write-figures' }
  /** The keeper goes, its ffmpeg stays. */
  | { readonly type: 'leave' }

/** What a decision depends on beside state and event. */
export interface Surroundings {
  readonly nowMs: number
  /** The time by a clock that nobody sets. */
  readonly steadyMs: number
  /** By how much somebody has set the clock since the last event. */
  readonly clockStepMs: number
  /** How far the clock is from where it was last believed to be, with steps that may be mistakes; left out: not at all. */
  readonly clockErrorMs?: number
  readonly random: number
  /** It begins again where it ends, as a live source does in any case. */
  readonly looping: boolean
  /** It sends an online source. */
  readonly isRelay: boolean
  /** What it sends of its videos is to be written down. */
  readonly isRecorded: boolean
  /** How long the platform lets a session last; null: no limit is known. */
  readonly sessionLimitMs: number | null
  readonly keepsOnExit: boolean
}

export const NO_SAMPLE: StreamSample = { bitrateKbps: null, speed: null, frames: null }

type KeptRow = Pick<
  StreamRow,
  | 'state'
  | 'restarts'
  | 'on_air_ms'
  | 'position_item'
  | 'position_ms'
  | 'position_from_ms'
  | 'sent_ms'
  | 'position_item_id'
  | 'position_round'
  | 'video_id'
  | 'on_fallback'
  | 'note'
  | 'reason'
>

export const keeperStateOf = (row: KeptRow): KeeperState => ({
  ...NEW_KEEPER,
  stream: readState(row.state),
  restarts: row.restarts,
  onAirMs: row.on_air_ms,
  position: { item: row.position_item, ms: row.position_ms, fromMs: row.position_from_ms },
  sentMs: row.sent_ms,
  place: row.position_item_id === null ? null : { itemId: row.position_item_id, round: row.position_round },
  videoId: row.video_id,
  onFallback: row.on_fallback === 1,
  note: row.note,
  lastReason: row.reason,
})

export const NEW_KEEPER: KeeperState = {
  stream: initialState,
  session: null,
  sessions: 0,
  restarts: 0,
  onAirMs: 0,
  sample: NO_SAMPLE,
  position: { item: 0, ms: 0, fromMs: 0 },
  sentMs: null,
  piece: null,
  place: null,
  nextPlace: null,
  hasLookedAgain: false,
  formerNexts: [],
  reads: null,
  readBefore: null,
  videoId: null,
  clip: null,
  nextClip: null,
  needsNewSession: false,
  isJudgingSwap: false,
  onFallback: false,
  note: null,
  lastReason: null,
  endByMs: null,
  isLeaving: false,
}
