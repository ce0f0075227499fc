import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * The version before may have been at work since: it knows of one master, in the row of its video. What it has prepared is taken up,
 * and a master that it has replaced is gone.
 */
export async function followOlderVersion(db: Db): Promise<void> {
  await sql`
    update renditions set key = (select master_key from videos where videos.id = video_id),
      bytes = (select master_bytes from videos where videos.id = video_id),
      content_type = (select videos.content_type from videos where videos.id = video_id),
      thumbnail_key = (select videos.thumbnail_key from videos where videos.id = video_id),
      loop = null, tail_key = null
    where state = 'ready' and recipe = 'as-is' and exists (
      select 1 from videos where videos.id = video_id and master_key is not null and master_key <> key)`.execute(db)
  await sql`
    insert into renditions (id, video_id, recipe, key, bytes, content_type, thumbnail_key, state, created_at)
    select 'older-' || id, id, 'as-is', master_key, master_bytes, content_type, thumbnail_key, 'ready', created_at
    from videos where master_key is not null and not exists (
      select 1 from renditions where video_id = videos.id and recipe = 'as-is' and state = 'ready')
    on conflict do nothing`.execute(db)
}
