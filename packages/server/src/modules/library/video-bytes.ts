import { sql } from 'kysely'

/** What one video takes beside its original. */
const masterBytes = sql<
  string | number
>`coalesce((select sum(bytes) from renditions where renditions.video_id = videos.id and state = 'ready'), 0)`

/** By how much what was made of a video is larger than its original. */
const excessBytes = sql`coalesce((
  select case when sum(bytes) > videos.original_bytes then sum(bytes) - videos.original_bytes else 0 end
  from renditions where renditions.video_id = videos.id and state = 'ready'), 0)`

/** What videos take of their owner's room: each once, by its larger file. */
export const roomBytes = sql<string | number | null>`sum(original_bytes + ${excessBytes})`

/** What videos take of the disk: originals and masters. */
export const diskBytes = sql<string | number>`coalesce(sum(original_bytes + ${masterBytes}), 0)`
