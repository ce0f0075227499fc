import { setImmediate as anotherTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, isPostgres } from '../../platform/db/database.ts'
import { withUserLocked } from '../identity/user-lock.ts'

/** So many lists at once: everything else gets its turn in between. */
const AT_ONCE = 5

/**
 * The database itself keeps how many items a list has and how long they last (see migration 0052). Versions that changed a list without the
 * lock of its user could lose a part of that on PostgreSQL. What is wrong is put right at the start.
 */
export async function recountTotals(db: Db): Promise<void> {
  for (let after = ''; ; ) {
    const lists = await db
      .selectFrom('playlists')
      .select(['id', 'user_id'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    const last = lists.at(-1)
    if (!last) return
    const wrong = new Set(
      await wrongAmong(
        db,
        lists.map(({ id }) => id),
      ),
    )
    for (const list of lists) if (wrong.has(list.id)) await recount(db, list)
    after = last.id
    await anotherTurn()
  }
}

async function wrongAmong(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select playlists.id from playlists
      left join playlist_items on playlist_id = playlists.id and removed_at is null
      left join videos on videos.id = video_id
    where playlists.id in (${sql.join(ids)})
    group by playlists.id, playlists.item_count, playlists.duration_ms
    having playlists.item_count <> count(videos.id)
      or playlists.duration_ms <> coalesce(sum(videos.duration_ms), 0)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Counted once nobody else can change it: a version before this one locks only the list. */
async function recount(db: Db, { id, user_id }: { id: string; user_id: string }): Promise<void> {
  await withUserLocked(db, user_id, async (locked) => {
    const list = locked.selectFrom('playlists').select('id').where('id', '=', id)
    await list.$if(isPostgres(db), (query) => query.forNoKeyUpdate()).execute()
    await sql`
      update playlists set item_count = found.items, duration_ms = found.lasts
      from (
        select count(videos.id) as items, coalesce(sum(videos.duration_ms), 0) as lasts
        from playlist_items join videos on videos.id = video_id
        where playlist_id = ${id} and removed_at is null) as found
      where playlists.id = ${id}`.execute(locked)
  })
}
