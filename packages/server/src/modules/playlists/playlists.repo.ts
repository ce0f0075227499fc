import { randomUUID } from 'node:crypto'
import { setImmediate as anotherTurn } from 'node:timers/promises'
import { type Insertable, type Selectable, sql } from 'kysely'
import { atomically, type Db } from '../../platform/db/database.ts'
import { deleteDeep, type Schema } from '../../platform/db/delete-deep.ts'
import type { PlaylistItemTable, PlaylistTable } from '../../platform/db/tables/playlists.ts'
import { addWithin, lockUser } from '../identity/user-lock.ts'
import { videoUses } from '../library/video-uses.repo.ts'
import { positionsBetween, STEP, spread } from './item-positions.ts'
import type { ListItem } from './next-item.ts'

export type PlaylistRow = Selectable<PlaylistTable>
interface ItemRow extends ListItem {
  readonly video_id: string
}

/** A list with what plays in it, in order. */
export interface PlaylistContent {
  readonly playlist: PlaylistRow
  readonly items: readonly ItemRow[]
  /** What was removed lately. */
  readonly removed: readonly ListItem[]
}

export type PlaylistsRepo = ReturnType<typeof createPlaylistsRepo>

/** One of those that were removed may still play somewhere; a list cannot have more streams than this. */
const KEPT_REMOVED = 200
const IDS_AT_ONCE = 500
/** Nothing belongs to an item. */
const ITEMS_ALONE: Schema = { children: new Map(), keys: new Map() }
/** To write five hundred in one statement would keep the event loop for tens of milliseconds. */
const ITEMS_AT_ONCE = 100
/** So many lists at once: at the start everything else gets its turn in between. */
const HELD_AT_ONCE = 5

/** In the transaction of each change: who lists a video keeps it from being deleted. */
const listUse = (playlistId: string): string => `playlist:${playlistId}`

export function createPlaylistsRepo(db: Db) {
  return {
    ...reads(db),
    /** False: there are as many as there may be. */
    insert(playlist: Insertable<PlaylistTable>, most: number): Promise<boolean> {
      const { user_id: userId } = playlist
      const count = (locked: Db) => reads(locked).countOf(userId)
      return addWithin(db, { userId, most, count }, (locked) =>
        locked.insertInto('playlists').values(playlist).execute(),
      )
    },
    /** Answers null where it is gone, or is not this user's, or is of another version than the one that was seen. */
    change<T>(
      which: Wanted,
      now: number,
      work: (inside: Db, content: PlaylistContent) => Promise<T>,
    ): Promise<T | null> {
      return changeList(db, which, now, work)
    },
    async remove(id: string, userId: string): Promise<boolean> {
      return atomically(db, async (inside) => {
        const { numDeletedRows } = await inside
          .deleteFrom('playlists')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirst()
        if (numDeletedRows > 0n) await videoUses(inside).replace(listUse(id), userId, [])
        return numDeletedRows > 0n
      })
    },
    /** Takes a video out of every list: before it is deleted, or all of its items would go in one statement. */
    async leaveLists(videoId: string): Promise<void> {
      await deleteDeep(db, ITEMS_ALONE, { table: 'playlist_items', where: sql`video_id = ${videoId}` })
    },
    /** An older version, or a restored backup, knows nothing of lists: what it let go of is held again. */
    async holdVideos(): Promise<void> {
      for (let after = ''; ; ) {
        const lists = await db
          .selectFrom('playlists')
          .select('id')
          .where('id', '>', after)
          .orderBy('id')
          .limit(HELD_AT_ONCE)
          .execute()
        const last = lists.at(-1)
        if (!last) return
        await holdListed(
          db,
          lists.map(({ id }) => id),
        )
        after = last.id
        await anotherTurn()
      }
    },
  }
}

async function holdListed(db: Db, playlistIds: readonly string[]): Promise<void> {
  const listed = await db
    .selectFrom('playlist_items')
    .innerJoin('playlists', 'playlists.id', 'playlist_items.playlist_id')
    .select(['playlist_id', 'user_id', 'video_id'])
    .where('playlist_id', 'in', playlistIds)
    .where('removed_at', 'is', null)
    .distinct()
    .execute()
  await videoUses(db).add(
    listed.flatMap(({ playlist_id, user_id, video_id }) =>
      video_id === null ? [] : [{ video_id, user_id, used_by: listUse(playlist_id) }],
    ),
  )
}

interface Wanted {
  readonly id: string
  readonly userId: string
  readonly version?: number | undefined
}

const reads = (db: Db) => ({
  async countOf(userId: string): Promise<number> {
    const row = await db
      .selectFrom('playlists')
      .select((eb) => eb.fn.countAll<string | number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return Number(row?.count ?? 0)
  },
  /** Newest first, behind the one that is named. */
  async pageOf(userId: string, after: { createdAt: number; id: string } | null, limit: number): Promise<PlaylistRow[]> {
    return db
      .selectFrom('playlists')
      .selectAll()
      .where('user_id', '=', userId)
      .$if(after !== null, (query) =>
        query.where(({ eb, or, and }) =>
          or([
            eb('created_at', '<', after?.createdAt ?? 0),
            and([eb('created_at', '=', after?.createdAt ?? 0), eb('id', '<', after?.id ?? '')]),
          ]),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  },
  /** The lists that a video is in, with what they were made alike by. */
  async listsWith(videoId: string): Promise<Pick<PlaylistRow, 'id' | 'recipe'>[]> {
    return db
      .selectFrom('playlist_items')
      .innerJoin('playlists', 'playlists.id', 'playlist_items.playlist_id')
      .select(['playlists.id', 'playlists.recipe'])
      .distinct()
      .where('video_id', '=', videoId)
      .where('removed_at', 'is', null)
      .execute()
  },
  async contents(ids: readonly string[]): Promise<Map<string, PlaylistContent>> {
    const found = new Map<string, PlaylistContent>()
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const some = ids.slice(from, from + IDS_AT_ONCE)
      const [lists, items] = await Promise.all([
        db.selectFrom('playlists').selectAll().where('id', 'in', some).execute(),
        db
          .selectFrom('playlist_items')
          .selectAll()
          .where('playlist_id', 'in', some)
          .orderBy('position')
          .orderBy('id')
          .execute(),
      ])
      const byList = Map.groupBy(items, ({ playlist_id }) => playlist_id)
      for (const playlist of lists) found.set(playlist.id, contentOf(playlist, byList.get(playlist.id) ?? []))
    }
    return found
  },
})

function contentOf(playlist: PlaylistRow, own: readonly Selectable<PlaylistItemTable>[]): PlaylistContent {
  return {
    playlist,
    items: own.flatMap(({ id, position, video_id, removed_at }) =>
      removed_at === null && video_id !== null ? [{ id, position, video_id }] : [],
    ),
    removed: own.filter(({ removed_at }) => removed_at !== null),
  }
}

/**
 * One change of a list at a time: raising its version locks it. The user comes first, as for a deletion of a video and for its length: these
 * change the totals of lists too. Without that, two at once waited for each other, or neither saw what the other had written.
 */
async function changeList<T>(
  db: Db,
  { id, userId, version }: Wanted,
  now: number,
  work: (inside: Db, content: PlaylistContent) => Promise<T>,
): Promise<T | null> {
  return atomically(db, async (inside) => {
    await lockUser(inside, userId)
    const raised = await inside
      .updateTable('playlists')
      .set((eb) => ({ version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
      .returning('id')
      .executeTakeFirst()
    const content = raised && (await reads(inside).contents([id])).get(id)
    if (!content) return null
    return work(inside, content)
  })
}

/** Within `change`. */
export const listChanges = (inside: Db, { playlist, items, removed }: PlaylistContent) => ({
  async set(change: { name?: string; shuffle?: number; recipe?: string }): Promise<void> {
    if (Object.keys(change).length === 0) return
    await inside.updateTable('playlists').set(change).where('id', '=', playlist.id).execute()
  },
  /** Before the item that has this index now; at the end where none has. */
  async add(videoIds: readonly string[], index: number): Promise<void> {
    const positions = await roomAt(inside, playlist.id, items, { index, count: videoIds.length })
    const rows = videoIds.map((video_id, at) => ({
      id: randomUUID(),
      playlist_id: playlist.id,
      position: positions[at] ?? 0,
      video_id,
      removed_at: null,
    }))
    for (let from = 0; from < rows.length; from += ITEMS_AT_ONCE) {
      await inside
        .insertInto('playlist_items')
        .values(rows.slice(from, from + ITEMS_AT_ONCE))
        .execute()
    }
    const use = { used_by: listUse(playlist.id), user_id: playlist.user_id }
    await videoUses(inside).add([...new Set(videoIds)].map((video_id) => ({ video_id, ...use })))
  },
  /** To this index among the others. */
  async move(itemId: string, index: number): Promise<void> {
    const others = items.filter(({ id }) => id !== itemId)
    const [position = 0] = await roomAt(inside, playlist.id, others, { index, count: 1 })
    await inside.updateTable('playlist_items').set({ position }).where('id', '=', itemId).execute()
  },
  async remove(itemId: string, now: number): Promise<void> {
    await inside
      .updateTable('playlist_items')
      .set({ removed_at: now, video_id: null })
      .where('id', '=', itemId)
      .where('playlist_id', '=', playlist.id)
      .execute()
    const videoId = items.find(({ id }) => id === itemId)?.video_id
    const isLast = items.every(({ id, video_id }) => id === itemId || video_id !== videoId)
    if (videoId !== undefined && isLast) await videoUses(inside).release(listUse(playlist.id), videoId)
    if (removed.length < KEPT_REMOVED) return
    const [oldest] = await inside
      .selectFrom('playlist_items')
      .select('id')
      .where('playlist_id', '=', playlist.id)
      .where('removed_at', 'is not', null)
      .orderBy('removed_at')
      .limit(1)
      .execute()
    if (oldest) await inside.deleteFrom('playlist_items').where('id', '=', oldest.id).execute()
  },
})

interface Gap {
  /** The index of the item that comes behind it. */
  readonly index: number
  readonly count: number
}

/** Where items can be put. A list whose gaps are used up is spread again, with what was removed from it. */
async function roomAt(inside: Db, playlistId: string, items: readonly ListItem[], { index, count }: Gap) {
  const at = (order: readonly ListItem[]) =>
    positionsBetween(order[index - 1]?.position ?? null, order[index]?.position ?? null, count)
  const found = at(items)
  if (found) return found
  // One statement: five hundred of them held up everything else.
  const { rows } = await sql<{ id: string; position: number }>`
    update playlist_items set position = ranked.place * ${sql.lit(STEP)}
    from (
      select id as item_id, row_number() over (order by position, id) as place
      from playlist_items where playlist_id = ${playlistId}) as ranked
    where playlist_items.id = ranked.item_id returning id, position`.execute(inside)
  const positions = new Map(rows.map(({ id, position }) => [id, position]))
  return at(items.map((item) => ({ ...item, position: positions.get(item.id) ?? item.position }))) ?? spread(count)
}
