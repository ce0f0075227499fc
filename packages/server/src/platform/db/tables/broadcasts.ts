import type { Generated } from 'kysely'
import type { MachineShortage } from '../../process/machine-load.ts'

/** What somebody wants on air. It has a stream for each target; the first one has the broadcast's own id. */
export interface BroadcastTable extends SourceColumns {
  id: string
  user_id: string
  title: string | null
  looping: number
  /** The place of one of its wanted streams: no two broadcasts at once have the same. */
  slot: Generated<number>
  /** What the whole is to be: 'live', 'stopped', or 'ending': at the end of the pass. */
  desired: string
  /** 1: what it sends is recorded. */
  record: Generated<number>
  /** Why it was stopped, where it was not its owner who wanted it. */
  end_cause: string | null
  created_at: number
  /** When its last stream had ended; null: it is wanted. */
  ended_at: number | null
}

interface SourceColumns {
  /** The source as the user knows it: a file name or an address without secrets. */
  source: string
  /** 'video': one of the user's own. 'hls': an address. 'bigo': the room of an account. */
  source_kind: Generated<string>
  /** The address of an HLS source, sealed: such addresses carry tokens. */
  source_sealed: string | null
  /** 1: an online source that had its end already when it was chosen, and is sent again and again. */
  source_finite: Generated<number>
  /** The account of a Bigo source. */
  source_account_id: string | null
  video_id: string | null
  /** Asked for, and not on air yet: it comes at the end of the clip that plays. */
  next_video_id: string | null
  /** The video that stands in while an online source is away. */
  fallback_video_id: string | null
}

/** A broadcast on its way to one target. */
export interface StreamTable extends OlderStreamColumns, PlaylistColumns {
  id: string
  /** Null only where the version before has started it: see broadcasts/store/older-version.ts. */
  broadcast_id: string | null
  /** As its broadcast says: all that an account has had on air is found by this alone. */
  user_id: string
  platform: string
  target_sealed: string
  target_host: string
  /** Tells whether two streams go to one target, and nothing else about it. */
  target_mark: string
  /** The saved target that it was begun with, and what that was called then; null: it was typed. */
  target_id: Generated<string | null>
  target_name: Generated<string | null>
  /** Which of the places that its owner's plan has: no two wanted streams have the same. */
  slot: Generated<number>
  /** What its broadcast says, or 'stopped' where this stream alone is to end. */
  desired: string
  end_cause: string | null
  /** What it plays, and what comes at the end of its pass: the streams of a broadcast change their video one by one. */
  source: string
  video_id: string | null
  next_video_id: string | null
  /** Which item of its sequence plays, where in that it is, and where that was when its ffmpeg's time was zero. */
  position_item: Generated<number>
  position_ms: Generated<number>
  position_from_ms: Generated<number>
  /** As its broadcast says. */
  record: Generated<number>
  /** ffmpeg's output time, as last seen: how far the piece that goes on has come. */
  sent_ms: Generated<number>
  /** Which rendition of its video it plays where that is ready; null: as it is. */
  recipe: Generated<string | null>
  /** The recipe of the file that plays now; null: as it is. */
  position_recipe: Generated<string | null>
  /** 1: the video that stands in for an online source is on air. */
  on_fallback: Generated<number>
  /** Something to know while all is well: a code of contracts/stream-reason-texts. */
  note: string | null
  phase: string
  /** StreamState of @siarin/media as JSON: the truth about the stream, taken up again after a crash. */
  state: string
  /** Why it is not on air, or has ended: a code of contracts/stream-reason-texts. */
  reason: string | null
  restarts: Generated<number>
  /** Raised by each claim; a worker whose epoch is old writes nothing any more. */
  epoch: Generated<number>
  worker: string | null
  /** The worker that is to have it next, and whether that is ready for it (1). */
  handover_to: Generated<string | null>
  handover_ready: Generated<number>
  /** The worker that has its video at hand, for when its own one dies. */
  standby: Generated<string | null>
  pid: number | null
  pid_birth: string | null
  created_at: number
  live_since: number | null
  /** Time on air in all, without the stretch that runs now. */
  on_air_ms: Generated<number>
  /** What ffmpeg last said of itself, written every few seconds. */
  bitrate_kbps: number | null
  speed: number | null
  frames: number | null
  ended_at: number | null
}

/** The columns of a stream that plays a list. */
interface PlaylistColumns {
  playlist_id: Generated<string | null>
  /** The item that it was started with; null: the first. */
  playlist_start_item: Generated<string | null>
  /** Where it is to go on, as JSON (`Skip` of playlists/next-item); null: to what follows. */
  playlist_skip: Generated<string | null>
  /** Above 0: the list was changed, or something is to be skipped, and its keeper has not seen that yet. */
  playlist_asked: Generated<number>
  /** Which item plays, and in which round; null: it plays no list. */
  position_item_id: Generated<string | null>
  position_round: Generated<number>
}

/** What `broadcasts` has now. The version before reads it here: it is written along, and read only to follow that version. */
type OlderStreamColumns = Omit<BroadcastTable, 'id' | 'created_at' | 'ended_at' | keyof OwnColumns>

type OwnColumns = Pick<
  BroadcastTable,
  'user_id' | 'slot' | 'desired' | 'end_cause' | 'source' | 'video_id' | 'next_video_id'
>

/** The incident timeline of a stream. */
export interface StreamEventTable {
  id: string
  stream_id: string
  at: number
  kind: string
  /** A code of contracts/stream-reason-texts, or the name of the video or source that is on air from then on. */
  reason: string | null
  /** How long it had been off air, where the event ends that. */
  off_air_ms: number | null
}

/** A worker of several machines. It may keep streams for as long as its lease is renewed, here or at its witness in Redis. */
export interface WorkerLeaseTable {
  id: string
  /** One run of its program. Null: none holds the lease, so its streams are anybody's. */
  incarnation: string | null
  /** Raised by each renewal: one that does not rise is what others see of a dead worker. */
  beat_seq: number
  /** By the database's clock, for those who look: no take-over depends on a clock that somebody sets. */
  lease_until: number
  /** Whose processes a program finds that is started again (see warden/run-mark.ts). */
  boot: string
  /** 'draining': its operator wants its streams to move to others. */
  state: Generated<'up' | 'draining'>
  /** How many more streams it would take, how many it may keep in all, and how many it keeps. */
  room: number
  max_streams: number
  kept: number
  /** What of the machine's CPU is in use, and what of its memory is free: from 0 to 1. */
  cpu: number
  memory: number
  short_of: MachineShortage | null
  version: string
}
