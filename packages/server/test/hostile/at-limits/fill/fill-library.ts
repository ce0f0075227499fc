import { randomUUID } from 'node:crypto'
import { link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { DAY_MS, type Filling, type Ids } from '../account.ts'
import { fillRows, groupOf, idAt, idOf, placeIn, plus, text } from '../fill-rows.ts'

export interface FilledLibrary {
  readonly videos: Ids
  readonly filenameAt: (number: number) => string
  readonly keyAt: (number: number) => string
  readonly playlists: Ids
  readonly items: Ids
  readonly recipeAt: (number: number) => string
}

const FIRST_KBPS = 1_000
/** A video has the master of its upload, with files of its own. */
export async function fillLibrary(filling: Filling): Promise<FilledLibrary> {
  const { db, userId, like, amounts, now } = filling
  const videos = { like: randomUUID(), count: amounts.videos }
  const [before, after] = keyParts(filling)
  const key = sql<string>`cast(${before} as text) || ${idOf(videos.like)} || cast(${after} as text)`
  await fillRows(db, 'videos', videos.count, {
    ...like.video,
    ...{ id: idOf(videos.like), user_id: userId, filename: text('penuh-', undefined, '.mp4') },
    ...{ original_key: key, master_key: key, created_at: plus(now - 300 * DAY_MS, 1000) },
  })
  const master = { ...like.rendition, video_id: idOf(videos.like), key }
  await fillRows(db, 'renditions', videos.count, { ...master, id: idOf(randomUUID()) })
  const each = amounts.renditionsEach
  const recipe = (kbps: number) =>
    sql<string>`cast('640x360@25:' as text) || cast(${plus(kbps, 1, placeIn(each))} as text)`
  await fillRows(db, 'renditions', videos.count * (each - 1), {
    ...like.rendition,
    ...{ id: idOf(randomUUID()), video_id: idOf(videos.like, groupOf(each - 1)) },
    ...{ recipe: sql`cast('640x360@25:' as text) || cast(${plus(FIRST_KBPS, 1, placeIn(each - 1))} as text)` },
  })
  await fillRows(db, 'rendition_orders', videos.count, {
    ...{ video_id: idOf(videos.like), recipe: recipe(FIRST_KBPS + 100), state: 'failed', progress: null },
    ...{ seconds_left: null, reason: null, created_at: now - DAY_MS },
  })
  await fillRows(db, 'upload_reservations', amounts.uploads, {
    ...{ id: idOf(randomUUID()), user_id: userId, kind: 'tus', bytes: 1_000, held_until: now - 1_000 },
  })
  await db.insertInto('low_rooms').values({ user_id: userId, room_bytes: 1_000 }).execute()
  const keyAt = (number: number) => before + idAt(videos.like, number) + after
  await linkFiles(filling, videos, keyAt)
  return {
    ...{ videos, keyAt, ...(await fillPlaylists(filling, videos)) },
    filenameAt: (number) => `penuh-${number}.mp4`,
    recipeAt: (number) => `640x360@25:${FIRST_KBPS + (number % (each - 1))}`,
  }
}

/** A key names its owner and its video. */
function keyParts({ like: { rendition, video }, userId }: Filling): [string, string] {
  const [, after = ''] = rendition.key.split(video.id)
  return [`${userId}/`, after]
}

async function linkFiles(
  { like, mediaDir }: Filling,
  { count }: Ids,
  keyAt: (number: number) => string,
): Promise<void> {
  const master = join(mediaDir, like.rendition.key)
  for (let number = 0; number < count; number++) {
    const file = join(mediaDir, keyAt(number))
    await mkdir(dirname(file), { recursive: true })
    await link(master, file)
  }
}

/** Each list has as many videos as it may, each another one as far as there are enough. */
async function fillPlaylists({ db, userId, like, amounts, now }: Filling, videos: Ids) {
  const playlists = { like: randomUUID(), count: amounts.playlists - 1 }
  const items = { like: randomUUID(), count: playlists.count * amounts.itemsEach }
  const each = amounts.itemsEach
  await fillRows(db, 'playlists', playlists.count, {
    ...like.playlist,
    ...{ id: idOf(playlists.like), user_id: userId, name: text('Daftar '), created_at: plus(now - DAY_MS, 1000) },
  })
  await fillRows(db, 'playlist_items', items.count, {
    ...{ id: idOf(items.like), playlist_id: idOf(playlists.like, groupOf(each)), position: plus(1, 1, placeIn(each)) },
    ...{ video_id: idOf(videos.like, placeIn(Math.min(each, videos.count))), removed_at: null },
  })
  await fillRows(db, 'video_uses', playlists.count * Math.min(each, videos.count), {
    ...{ video_id: idOf(videos.like, placeIn(Math.min(each, videos.count))), user_id: userId },
    used_by: sql`cast('playlist:' as text) || ${idOf(playlists.like, groupOf(Math.min(each, videos.count)))}`,
  })
  return { playlists, items }
}
