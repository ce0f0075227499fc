import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { isForeignKeyViolation, uniqueViolation } from '../../platform/db/database.ts'
import { cleanFilename, uniqueFilename } from './clean-filename.ts'
import type { VideoColumns, VideoRow } from './video-row.ts'

/** Each lost race means that another file of this user took the name: nobody sends more than this at once. */
const MOST_NAME_TRIES = 500

type NamelessVideo = Omit<VideoColumns, 'filename'>

/** Two files of one name may race: the constraint decides, and the loser tries the next number. */
export async function insertUnderFreeName(
  row: NamelessVideo,
  wanted: string,
  filenamesOf: (userId: string) => Promise<ReadonlySet<string>>,
  insert: (video: VideoColumns) => Promise<void>,
): Promise<VideoRow> {
  const clean = cleanFilename(wanted)
  for (let tries = 1; ; tries++) {
    const video = { ...row, filename: uniqueFilename(clean, await filenamesOf(row.user_id)) }
    try {
      await insert(video)
      return { ...video, master: null }
    } catch (error) {
      // The account went while its file was inspected.
      if (isForeignKeyViolation(error)) throw new DomainError('not_found', VIDEO_TEXTS.notFound, { cause: error })
      // No other name helps against any other duplicate, such as the video itself.
      if (!uniqueViolation(error)?.includes('filename') || tries === MOST_NAME_TRIES) throw error
    }
  }
}

/** A video of which nothing is known yet. */
export const blankVideo = (id: string, userId: string, createdAt: number): NamelessVideo => ({
  id,
  user_id: userId,
  status: 'processing',
  step: 'checking',
  progress: null,
  seconds_left: null,
  lane: null,
  reason: null,
  warning: null,
  original_key: null,
  original_bytes: 0,
  content_type: 'application/octet-stream',
  import_url_sealed: null,
  duration_ms: null,
  width: null,
  height: null,
  fps: null,
  video_codec: null,
  audio_codec: null,
  original_height: null,
  original_fps: null,
  created_at: createdAt,
})
