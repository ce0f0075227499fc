import { readState } from '@siarin/media/stream-state'
import type { LeftWords } from '../sender/broadcast-process.ts'
import type { ClipLibrary } from '../sequence/clips.ts'
import type { StreamRow } from '../store/streams.repo.ts'

/** How much shorter than its row says a video may turn out to be. */
const SHORTER_MS = 2_000
/** The clock of the row and that of the file are not read at the same moment. */
const CLOCKS_APART_MS = 5_000

type Row = Pick<
  StreamRow,
  'source_kind' | 'looping' | 'position_item_id' | 'video_id' | 'next_video_id' | 'position_from_ms' | 'state'
>

/**
 * Whether the ffmpeg of a video that is played once sent all of it while no program was there. One that was asked to end says the same of
 * itself, so it must have come as far as the video goes; and its words must be of the session that the row knows.
 */
export async function cameToEnd(
  row: Row,
  words: LeftWords | null,
  library: Pick<ClipLibrary, 'findById'>,
): Promise<boolean> {
  const isOnce = row.source_kind === 'video' && row.looping !== 1 && row.position_item_id === null
  if (!isOnce || !words?.hasEnded || words.outTimeMs === null) return false
  // Another video was asked for, and is to come now.
  if (row.next_video_id !== null && row.next_video_id !== row.video_id) return false
  const stream = readState(row.state)
  if (stream.at !== 'live' || words.saidAt < stream.sinceMs - CLOCKS_APART_MS) return false
  const video = row.video_id === null ? null : await library.findById(row.video_id).catch(() => null)
  const ms = video?.duration_ms ?? null
  return ms !== null && row.position_from_ms + words.outTimeMs >= ms - SHORTER_MS
}
