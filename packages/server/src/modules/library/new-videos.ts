import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { isForeignKeyViolation, uniqueViolation } from '../../platform/db/database.ts'
import { cleanFilename, numberedNames } from './clean-filename.ts'
import type { VideoColumns, VideoRow } from './video-row.ts'

/** Each lost race means that another file of this user took the name: nobody sends more than this at once. */
const MOST_NAME_TRIES = 500

/** Names that are looked up in one go: few enough to hold up nobody else, however many files of one name the user has. */
const NAMES_AT_ONCE = 100

type NamelessVideo = Omit<VideoColumns, 'filename'>

/** Which of these names the user has already. */
type TakenAmong = (userId: string, names: readonly string[]) => Promise<ReadonlySet<string>>

/** Two files of one name may race: the constraint decides, and the loser tries the next number. */
export async function insertUnderFreeName(
  row: NamelessVideo,
  wanted: string,
  takenAmong: TakenAmong,
  insert: (video: VideoColumns) => Promise<void>,
): Promise<VideoRow> {
  let tries = 0
  for await (const filename of freeNames(cleanFilename(wanted), row.user_id, takenAmong)) {
    const video = { ...row, filename }
    try {
      await insert(video)
      return { ...video, master: null }
    } catch (error) {
      // The account went while its file was inspected.
      if (isForeignKeyViolation(error)) throw new DomainError('not_found', VIDEO_TEXTS.notFound, { cause: error })
      // No other name helps against any other duplicate, such as the video itself.
      if (!uniqueViolation(error)?.includes('filename') || ++tries === MOST_NAME_TRIES) throw error
    }
  }
  throw new Error('the numbers never end')
}

/** They were free when they were looked up. Those with the smallest numbers first, except where a hundred in a row are taken. */
async function* freeNames(name: string, userId: string, takenAmong: TakenAmong): AsyncGenerator<string, void> {
  const nameOf = numberedNames(name)
  /** From one number on: each, or every hundredth. */
  async function look(first: number, step: number): Promise<(string | null)[]> {
    const names = Array.from({ length: NAMES_AT_ONCE }, (_, index) => nameOf(first + index * step))
    const taken = await takenAmong(userId, names)
    return names.map((each) => (taken.has(each) ? null : each))
  }
  for (let first = 0; ; first += NAMES_AT_ONCE) {
    for (const free of await look(first, 1)) if (free !== null) yield free
    // Thousands may be taken: it goes on with the hundred before the first of the hundreds that is free.
    const hundreds = await look(first + NAMES_AT_ONCE, NAMES_AT_ONCE)
    const free = hundreds.findIndex((each) => each !== null)
    first += NAMES_AT_ONCE * Math.max(0, (free === -1 ? NAMES_AT_ONCE : free) - 1)
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
