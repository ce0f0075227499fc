import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * How many items a list has and how long they last together. A page of lists read every item of each to tell it. The database itself keeps
 * both, since they change in several ways: an item comes, goes or is marked as removed; the length of a video becomes known; a video is
 * deleted with its items. The version before, which knows nothing of these columns, keeps them true in this way too.
 */
export const playlistTotals: Migration = {
  async up(db: Kysely<unknown>) {
    for (const name of ['item_count', 'duration_ms']) {
      await db.schema
        .alterTable('playlists')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    }
    await sql`
      update playlists set item_count = found.items, duration_ms = found.lasts
      from (
        select playlist_id, count(*) as items, coalesce(sum(videos.duration_ms), 0) as lasts
        from playlist_items join videos on videos.id = playlist_items.video_id
        where removed_at is null group by playlist_id) as found
      where playlists.id = found.playlist_id`.execute(db)
    const add = db.getExecutor().adapter instanceof PostgresAdapter ? addPostgresTrigger : addSqliteTrigger
    for (const trigger of TRIGGERS) await add(db, trigger)
  },
}

interface Trigger {
  readonly name: string
  readonly on: string
  /** What the trigger does, for each row. */
  readonly work: readonly string[]
}

const lengthOf = (item: 'old' | 'new'): string =>
  `coalesce((select duration_ms from videos where videos.id = ${item}.video_id), 0)`
const isListed = (item: 'old' | 'new'): string => `${item}.removed_at is null and ${item}.video_id is not null`
const change = (item: 'old' | 'new', sign: '+' | '-'): string => `
  update playlists set item_count = item_count ${sign} 1, duration_ms = duration_ms ${sign} ${lengthOf(item)}
  where id = ${item}.playlist_id and ${isListed(item)}`
/** The length of one video is another one: for each list that has it, as often as it is there. */
const relength = (byMs: string, video: 'old' | 'new'): string => `
  update playlists set duration_ms = duration_ms + (${byMs}) * (
    select count(*) from playlist_items
    where playlist_id = playlists.id and video_id = ${video}.id and removed_at is null)
  where id in (select playlist_id from playlist_items where video_id = ${video}.id and removed_at is null)`

const TRIGGERS: readonly Trigger[] = [
  { name: 'playlist_item_added', on: 'after insert on playlist_items', work: [change('new', '+')] },
  { name: 'playlist_item_gone', on: 'after delete on playlist_items', work: [change('old', '-')] },
  {
    name: 'playlist_item_changed',
    on: 'after update of video_id, removed_at on playlist_items',
    work: [change('old', '-'), change('new', '+')],
  },
  {
    name: 'playlist_video_changed',
    on: 'after update of duration_ms on videos',
    work: [relength('coalesce(new.duration_ms, 0) - coalesce(old.duration_ms, 0)', 'new')],
  },
  // Before: its items go after it, and find no length any more.
  {
    name: 'playlist_video_gone',
    on: 'before delete on videos',
    work: [relength('-coalesce(old.duration_ms, 0)', 'old')],
  },
]

async function addSqliteTrigger(db: Kysely<unknown>, { name, on, work }: Trigger): Promise<void> {
  await sql.raw(`create trigger ${name} ${on} for each row begin ${work.join(';')}; end`).execute(db)
}

async function addPostgresTrigger(db: Kysely<unknown>, { name, on, work }: Trigger): Promise<void> {
  const row = on.includes('delete') ? 'old' : 'new'
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as $$ begin ${work.join(';')}; return ${row}; end $$`,
    )
    .execute(db)
  await sql.raw(`create trigger ${name} ${on} for each row execute function ${name}()`).execute(db)
}
