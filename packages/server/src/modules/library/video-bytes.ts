import { sql } from 'kysely'

/** Also what was replaced, for as long as its files stay. Both in the words of an index, which holds nothing else. */
const made = sql`from renditions where renditions.video_id = videos.id and state <> 'preparing'`
const ready = sql`from renditions where renditions.video_id = videos.id and state = 'ready'`

/** By how much what was made of a video is larger than its original. */
const excessOf = (which: typeof made) => sql`coalesce((
  select case when sum(bytes) > videos.original_bytes then sum(bytes) - videos.original_bytes else 0 end ${which}), 0)`

/** What one video takes beside its original. */
export const madeBytes = sql<string | number>`coalesce((select sum(bytes) ${made}), 0)`

/** What videos take of their owner's room: each once, by its larger file. */
export const roomBytes = sql<string | number | null>`sum(original_bytes + ${excessOf(made)})`

/** The same as soon as what was replaced has gone, which mostly is in the next moment. */
export const lastingRoomBytes = sql<string | number | null>`sum(original_bytes + ${excessOf(ready)})`

/** What videos take of the disk: originals and all that was made of them. */
export const diskBytes = sql<string | number>`coalesce(sum(original_bytes + ${madeBytes}), 0)`
