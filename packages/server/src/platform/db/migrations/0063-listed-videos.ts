import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The length of one video is another one: for each list that has it, as often as it is there. The items of the video are read once. */
const relength = (byMs: string, video: 'old' | 'new'): string => `
  update playlists set duration_ms = playlists.duration_ms + (${byMs}) * found.items
  from (
    select playlist_id, count(*) as items from playlist_items
    where video_id = ${video}.id and removed_at is null group by playlist_id) as found
  where playlists.id = found.playlist_id`

const TRIGGERS = [
  {
    name: 'playlist_video_changed',
    on: 'after update of duration_ms on videos',
    // The end of a preparation writes the length again.
    unless: 'old.duration_ms is not distinct from new.duration_ms',
    work: relength('coalesce(new.duration_ms, 0) - coalesce(old.duration_ms, 0)', 'new'),
    row: 'new',
  },
  {
    name: 'playlist_video_gone',
    on: 'before delete on videos',
    unless: 'old.duration_ms is null',
    work: relength('-coalesce(old.duration_ms, 0)', 'old'),
    row: 'old',
  },
] as const

/**
 * Two triggers of 0052 read all items of a video once for each list that it is in. A video a hundred thousand times in two hundred lists held
 * everybody up for four seconds whenever it was prepared again, or deleted with its account.
 */
export const listedVideos: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await db.schema.dropIndex('playlist_items_video').execute()
    await db.schema
      .createIndex('playlist_items_video')
      .on('playlist_items')
      .columns(['video_id', 'playlist_id'])
      .execute()
    for (const { name, on, unless, work, row } of TRIGGERS) {
      const run = (words: string) => sql.raw(words).execute(db)
      const when = `for each row when (not (${unless}))`
      await run(isPostgres ? `drop trigger ${name} on videos` : `drop trigger ${name}`)
      if (isPostgres) {
        await run(
          `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${work}; return ${row}; end $$`,
        )
        await run(`create trigger ${name} ${on} ${when} execute function ${name}()`)
      } else {
        await run(`create trigger ${name} ${on} ${when} begin ${work}; end`)
      }
    }
  },
}
