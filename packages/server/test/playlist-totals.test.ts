import { randomUUID } from 'node:crypto'
import { PLAYLIST_ITEMS_MAX, PLAYLISTS_MAX } from '@siarin/contracts/playlists'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createRemovals } from '../src/modules/library/remove-videos.ts'
import { createPlaylistsRepo, listChanges } from '../src/modules/playlists/playlists.repo.ts'
import { recountTotals } from '../src/modules/playlists/recount-totals.ts'
import { type Db, isPostgres } from '../src/platform/db/database.ts'
import { createEvents } from '../src/platform/events/events.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { measure } from './support/rows-read.ts'

/** Other tests run beside this one. */
const NOISY = 5
const LOOK_EVERY_MS = 5

/** For how long the event loop, or one statement of it, stood still at most. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let at = performance.now()
  const look = () => {
    longest = Math.max(longest, performance.now() - at)
    at = performance.now()
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  await work()
  clearInterval(timer)
  look()
  return longest
}

describe.each(REPO_DATABASES)('how long a list lasts, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
    userId = await addUser(db)
  })
  afterAll(() => close())

  async function addVideo(duration_ms: number | null): Promise<string> {
    const id = randomUUID()
    const facts = { status: 'processing', original_bytes: 1, duration_ms, content_type: 'video/mp4', created_at: 100 }
    await createLibraryRepo(db).insert({ id, user_id: userId, filename: `${id}.mp4`, original_key: id, ...facts })
    return id
  }
  async function addList(): Promise<string> {
    const id = randomUUID()
    await createPlaylistsRepo(db).insert({ id, user_id: userId, name: id, created_at: 1, updated_at: 1 }, 1_000)
    return id
  }
  const totalsOf = (id: string) =>
    db.selectFrom('playlists').select(['item_count', 'duration_ms']).where('id', '=', id).executeTakeFirstOrThrow()
  /** Adds a video and does something else before that is committed, or before it is written. */
  const add = (
    id: string,
    videoId: string,
    { before, after }: { before?: () => Promise<void>; after?: () => Promise<void> } = {},
  ) =>
    createPlaylistsRepo(db).change({ id, userId }, 5, async (inside, content) => {
      await before?.()
      await listChanges(inside, content).add([videoId], content.items.length)
      await after?.()
      return true
    })

  /** Starts something in another transaction, and goes on when it is done or waits for this one. SQLite has one writer at a time. */
  function beside(work: () => Promise<unknown>) {
    let isDone = false
    let done: Promise<unknown> = Promise.resolve()
    return {
      done: () => done,
      async start(): Promise<void> {
        done = work().finally(() => {
          isDone = true
        })
        done.catch(() => {})
        if (isPostgres(db)) await waitFor('it to be done or to wait', async () => isDone || (await isWaiting()))
      },
    }
  }
  async function isWaiting(): Promise<boolean> {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  }

  it('has the length of a video that becomes known while the video is added', async () => {
    const [id, videoId] = [await addList(), await addVideo(null)]
    const known = beside(() =>
      createLibraryRepo(db).updateArrived({ id: videoId, user_id: userId }, { duration_ms: 3_000 }),
    )
    await add(id, videoId, { after: known.start })
    expect(await known.done()).toBe(true)
    expect(await totalsOf(id)).toEqual({ item_count: 1, duration_ms: 3_000 })
  })

  it('holds up neither a deletion of its video nor another item of it', async () => {
    const [id, videoId] = [await addList(), await addVideo(3_000)]
    await add(id, videoId)
    // As at the end of a plan.
    await createLibraryRepo(db).forgetLists(userId)
    const removal = beside(() => createLibraryRepo(db).remove(videoId))
    expect(await add(id, videoId, { before: removal.start })).toBe(true)
    expect(await removal.done()).toBe(false)
    expect(await totalsOf(id)).toEqual({ item_count: 2, duration_ms: 6_000 })
  })

  it('is counted again at the start of the program, a few lists at a time', async () => {
    const videoId = await addVideo(2_000)
    const lists: string[] = []
    for (let count = 0; count < 12; count++) {
      const id = await addList()
      await add(id, videoId)
      lists.push(id)
    }
    const empty = await addList()
    const [right = '', ...wrong] = lists
    await db
      .updateTable('playlists')
      .set({ item_count: 7, duration_ms: 1 })
      .where('id', 'in', [...wrong, empty])
      .execute()
    const versions = () => db.selectFrom('playlists').select(['id', 'version']).orderBy('id').execute()
    const before = await versions()
    const first = await measure(() => recountTotals(db))
    expect(first.mostRows).toBeLessThanOrEqual(5)
    for (const id of [right, ...wrong]) expect(await totalsOf(id)).toEqual({ item_count: 1, duration_ms: 2_000 })
    expect(await totalsOf(empty)).toEqual({ item_count: 0, duration_ms: 0 })
    expect(await versions()).toEqual(before)
    // Nothing is written where all is right.
    expect((await measure(() => recountTotals(db))).statements).toBeLessThan(first.statements)
  })

  it('[SAFE-07] holds nobody up where one video stands at every place of every list', {
    timeout: 120_000,
  }, async () => {
    const videoId = await addVideo(2_000)
    const lists = await Promise.all(Array.from({ length: isPostgres(db) ? 20 : PLAYLISTS_MAX }, addList))
    const places = Array.from({ length: PLAYLIST_ITEMS_MAX }, (_, position) => position)
    for (const playlist_id of lists) {
      const items = places.map((position) => ({ id: randomUUID(), playlist_id, position, video_id: videoId }))
      await db.insertInto('playlist_items').values(items).execute()
    }
    const [first = ''] = lists
    expect(await totalsOf(first)).toEqual({ item_count: PLAYLIST_ITEMS_MAX, duration_ms: PLAYLIST_ITEMS_MAX * 2_000 })
    const setLength = (duration_ms: number) => () =>
      db.updateTable('videos').set({ duration_ms }).where('id', '=', videoId).execute()
    // As when it is prepared again: mostly the length is what it was.
    expect(await longestHold(setLength(2_000))).toBeLessThan(NOISY * 50)
    expect(await longestHold(setLength(3_000))).toBeLessThan(NOISY * 50)
    expect(await totalsOf(first)).toEqual({ item_count: PLAYLIST_ITEMS_MAX, duration_ms: PLAYLIST_ITEMS_MAX * 3_000 })
    const { removeAllOf } = createRemovals({
      ...{ repo: createLibraryRepo(db), storage: { remove: async () => {} }, events: createEvents() },
      ...{ log: pino({ level: 'silent' }), isOnAir: async () => false, recordings: { isKeyKept: async () => false } },
      leaveLists: createPlaylistsRepo(db).leaveLists,
      leaveEnded: async () => {},
    })
    const hold = await longestHold(() => removeAllOf(userId))
    expect(hold).toBeLessThan(NOISY * 50)
    expect(await totalsOf(first)).toEqual({ item_count: 0, duration_ms: 0 })
    expect(await createLibraryRepo(db).byId(videoId)).toBeNull()
  })
})
