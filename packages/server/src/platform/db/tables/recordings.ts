import type { Generated } from 'kysely'

/** What a stream that is recorded sent without a break of one clip. A loop is one piece however often it plays. */
export interface SentPieceTable {
  stream_id: string
  /** Rises by one with each piece of the stream. */
  number: number
  broadcast_id: string
  user_id: string
  /** When its first moment was sent. */
  at: number
  /** Which ffmpeg sent it: pieces of one session follow each other without a break. */
  session: string
  /** Why the broadcast was off air before it, as a code; null: it was not. */
  reason: string | null
  video_id: string
  filename: string
  /** The keys of the master and of what is played behind it, in the storage. */
  key: string
  tail_key: string | null
  /** `LoopList` of media as JSON: how long a pass lasts, and where the file's own clock begins. */
  list: string
  /** 1: at the end of the clip it begins anew. */
  looping: number
  /** Where in the pass it begins. */
  from_ms: number
  /** Its ffmpeg's output time when it began. */
  out_from_ms: number
  /** How long it lasted; null: it goes on, and `streams.sent_ms` says how far. */
  ms: number | null
}

/** At most twelve hours of a broadcast, to be played, had and kept. */
export interface RecordingTable {
  id: string
  user_id: string
  broadcast_id: string
  /** The first of its broadcast is 1. */
  number: number
  title: string | null
  /** What was sent, as its owner knows it. */
  source: string
  /** 1: of an online source. Its bytes are in `recording_files`; of others nothing is stored. */
  online: number
  from_at: number
  /** Null: it is being made. */
  to_at: number | null
  /** Why it ended before its broadcast did, as a code; null: it did not. */
  ended_why: string | null
  ms: Generated<number>
  bytes: Generated<number>
  interruptions: Generated<number>
  /** Null while it is being made. */
  kept_until: number | null
  /** When its owner was told that it goes; null: not yet. */
  told_at: number | null
  /** When somebody last looked at one that was told: days in which nobody did are no warning. */
  checked_at: number | null
  /** Somebody deletes it: its files go first. */
  removing_at: number | null
  picture_key: string | null
  created_at: number
}

/** A piece of an online source, written beside the broadcast: MPEG-TS of a few seconds, beginning with a key frame. */
export interface RecordingFileTable {
  recording_id: string
  number: number
  session: string
  at: number
  ms: number
  bytes: number
  key: string
}

/** The time line of a recording that has ended, as it is played: worked out once. It counts once this row is there. */
export interface RecordingLineTable {
  recording_id: string
  /** Names the way in which it is worked out: an older one is worked out again. */
  version: number
  /** `StoredLine` of modules/recordings as JSON. */
  line: string
}

/** A piece of such a time line. */
export interface RecordingChunkTable {
  recording_id: string
  version: number
  number: number
  /** Some hundred cuts as JSON. */
  body: string
}

/** When a recording that has ended was on air, folded to what a screen can show. */
export interface RecordingPartsTable {
  recording_id: string
  parts: string
}

/** What was found out about a stored file by reading it. Stored files do not change. */
export interface FileFactTable {
  key: string
  user_id: string
  /** The key of the file that it is played behind, or its own: what was sent is known by that. */
  clip_key: string
  /** Key frames in the file's own clock, about every ten seconds, as JSON; null: nobody has asked yet. */
  frames: string | null
  /** Equal marks, equal parameters; null: nobody has asked yet. Versions up to 0.8.5 wrote the parameters themselves. */
  likeness: string | null
}
