import { setImmediate as anotherTurn } from 'node:timers/promises'
import { type Db, isPostgres } from '../../platform/db/database.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import { videoUses } from '../library/video-uses.repo.ts'

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
      .select(['id', 'user_id', 'item_count', 'duration_ms'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    const last = lists.at(-1)
    if (!last) return
    const found = await totalsOf(
      db,
      lists.map(({ id }) => id),
    )
    for (const list of lists) {
      const { item_count, duration_ms } = found(list.id)
      const isRight = Number(list.item_count) === item_count && Number(list.duration_ms) === duration_ms
      if (!isRight) await recount(db, list)
    }
    after = last.id
    await anotherTurn()
  }
}

async function totalsOf(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('playlist_items')
    .select(({ fn }) => ['playlist_id', 'video_id', fn.countAll<number | string>().as('times')])
    .where('playlist_id', 'in', ids)
    .where('removed_at', 'is', null)
    .where('video_id', 'is not', null)
    .groupBy(['playlist_id', 'video_id'])
    .execute()
  const lengths = await videoUses(db).lengths(rows.map(({ video_id }) => video_id))
  const byList = Map.groupBy(rows, ({ playlist_id }) => playlist_id)
  return (id: string) => {
    let [item_count, duration_ms] = [0, 0]
    for (const { video_id, times } of byList.get(id) ?? []) {
      item_count += Number(times)
      duration_ms += Number(times) * (lengths.get(video_id ?? '') ?? 0)
    }
    return { item_count, duration_ms }
  }
}

/** Counted once nobody else can change it: a version before this one locks only the list. */
async function recount(db: Db, { id, user_id }: { id: string; user_id: string }): Promise<void> {
  await withUserLocked(db, user_id, async (locked) => {
    const list = locked.selectFrom('playlists').select('id').where('id', '=', id)
    await list.$if(isPostgres(db), (query) => query.forNoKeyUpdate()).execute()
    const totals = (await totalsOf(locked, [id]))(id)
    await locked.updateTable('playlists').set(totals).where('id', '=', id).execute()
  })
}
