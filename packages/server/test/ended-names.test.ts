import { randomUUID } from 'node:crypto'
import { waitFor } from '@siarin/testkit/wait-for'
import { type Selectable, sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DomainError } from '../src/errors.ts'
import { endedNames } from '../src/modules/broadcasts/store/ended-names.ts'
import { asOwner } from '../src/modules/identity/caller.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { blankVideo } from '../src/modules/library/new-videos.ts'
import { createRecovery } from '../src/modules/library/recover-library.ts'
import { createRemovals } from '../src/modules/library/remove-videos.ts'
import { createPlaylistsRepo } from '../src/modules/playlists/playlists.repo.ts'
import { createPlaylistsService } from '../src/modules/playlists/playlists.service.ts'
import { systemClock } from '../src/platform/clock.ts'
import { type Db, isPostgres } from '../src/platform/db/database.ts'
import type { StreamTable } from '../src/platform/db/tables/broadcasts.ts'
import { createEvents } from '../src/platform/events/events.ts'
import { addStream } from './support/analytics.ts'
import { ENDED } from './support/analytics-stage.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { measure } from './support/rows-read.ts'

/** More than two batches of either database. */
const ENDED_ROWS = 1_200
const MOST_AT_ONCE = 500
const CLONES = 50

/** Every column that loses a name by its foreign key. */
const NAMES = [
  { table: 'broadcasts', column: 'fallback_video_id' },
  { table: 'broadcasts', column: 'next_video_id' },
  { table: 'broadcasts', column: 'video_id' },
  { table: 'streams', column: 'fallback_video_id' },
  { table: 'streams', column: 'next_video_id' },
  { table: 'streams', column: 'playlist_id' },
  { table: 'streams', column: 'video_id' },
] as const

describe.each(REPO_DATABASES)('what is deleted and stands in the history of broadcasts, on $name', ({ open }) => {
  const log = pino({ level: 'silent' })
  let db: Db
  let close: () => Promise<void>
  let userId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())
  beforeEach(async () => {
    userId = await addUser(db)
  })

  async function addVideo(): Promise<string> {
    const id = randomUUID()
    const video = { ...blankVideo(id, userId, 100), filename: `${id}.mp4`, original_key: id, original_bytes: 1 }
    await createLibraryRepo(db).insert(video)
    return id
  }
  async function addList(): Promise<string> {
    const id = randomUUID()
    await createPlaylistsRepo(db).insert({ id, user_id: userId, name: id, created_at: 1, updated_at: 1 }, 100)
    return id
  }
  const namesOf = (id: string) => ({ video_id: id, next_video_id: id, fallback_video_id: id })

  /** Broadcasts that have ended, all like the first. */
  async function addEnded(names: Partial<Selectable<StreamTable>>, count = ENDED_ROWS): Promise<void> {
    const first = await addStream(db, userId, { ...ENDED, ended_at: 200, ...names })
    await db.deleteFrom('video_uses').where('used_by', '=', first).execute()
    const stream = await db.selectFrom('streams').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
    const broadcast = await db.selectFrom('broadcasts').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
    for (let from = 1; from < count; from += CLONES) {
      const ids = Array.from({ length: Math.min(CLONES, count - from) }, () => randomUUID())
      await db
        .insertInto('broadcasts')
        .values(ids.map((id) => ({ ...broadcast, id })))
        .execute()
      await db
        .insertInto('streams')
        .values(ids.map((id) => ({ ...stream, id, broadcast_id: id, target_mark: id })))
        .execute()
    }
  }
  /** How many rows name it, by each column. */
  async function named(id: string): Promise<number[]> {
    const counts = NAMES.map(async ({ table, column }) => {
      const { rows } = await sql<{ count: number | string }>`
        select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(db)
      return Number(rows[0]?.count)
    })
    return Promise.all(counts)
  }
  const NOBODY = NAMES.map(() => 0)
  const EACH_VIDEO_COLUMN = NAMES.map(({ column }) => (column === 'playlist_id' ? 0 : ENDED_ROWS))

  /** A repo that notes who names a row at the moment of its deletion. */
  function watched<R extends { remove(id: string, userId: string): Promise<boolean> }>(repo: R) {
    const seen: number[][] = []
    const remove = async (id: string, ownerId: string) => {
      seen.push(await named(id))
      return repo.remove(id, ownerId)
    }
    return { repo: { ...repo, remove }, seen }
  }
  const removalsBy = (repo: ReturnType<typeof createLibraryRepo>) =>
    createRemovals({
      ...{ repo, log, storage: { remove: async () => {} }, events: createEvents(), isOnAir: repo.isOnAir },
      recordings: { isKeyKept: async () => false },
      leaveLists: createPlaylistsRepo(db).leaveLists,
      leaveEnded: endedNames(db).leaveVideo,
    })

  it('[SAFE-07] is named by these columns alone', async () => {
    // Both databases have the same foreign keys.
    if (isPostgres(db)) return
    const { rows } = await sql<{ table: string; column: string }>`
      select tables.name as "table", key."from" as "column"
      from sqlite_master as tables join pragma_foreign_key_list(tables.name) as key
      where tables.type = 'table' and key.on_delete = 'SET NULL' order by 1, 2`.execute(db)
    expect(rows).toEqual(NAMES)
  })

  it('[SAFE-07] a video leaves it in small batches before it goes, however it is deleted', {
    timeout: 120_000,
  }, async () => {
    for (const how of ['removeVideo', 'removeAllOf'] as const) {
      const videoId = await addVideo()
      await addEnded(namesOf(videoId))
      expect(await named(videoId)).toEqual(EACH_VIDEO_COLUMN)
      const { repo, seen } = watched(createLibraryRepo(db))
      const video = await repo.byId(videoId)
      const { removeVideo, removeAllOf } = removalsBy(repo)
      const { mostChanged } = await measure(async () => {
        if (how === 'removeAllOf') await removeAllOf(userId)
        else if (video) await removeVideo(video)
      })
      expect(seen).toEqual([NOBODY])
      expect(mostChanged).toBeLessThanOrEqual(MOST_AT_ONCE)
      expect(await repo.byId(videoId)).toBeNull()
    }
  })

  it('[SAFE-07] so does one whose file a crash has lost', async () => {
    const videoId = await addVideo()
    await addEnded(namesOf(videoId), 3)
    const { repo, seen } = watched(createLibraryRepo(db))
    const unfinished = async () => [{ id: videoId, createdAt: 0 }]
    const ofVideo = { ...repo, unfinished, waitingJobs: async () => [] }
    const recovery = createRecovery({
      ...{ repo: ofVideo, log, clock: systemClock, uploadDir: '/nowhere', hasOwnFolder: false },
      ...{ orders: { openOwners: async () => [] }, queue: { add: async () => {} }, isAmongUploads: async () => false },
      storage: { head: async () => null, remove: async () => {} },
      intake: {
        ...{ arrivalOf: () => '/nowhere/arrival', directoryOf: () => '/nowhere' },
        ...{ isAt: () => false, settle: async () => {} },
      },
      leaveEnded: endedNames(db).leaveVideo,
    })
    await recovery.begin(0)
    recovery.start()
    await waitFor('its row to go', async () => (await repo.byId(videoId)) === null)
    await recovery.stop()
    expect(seen).toEqual([NOBODY])
  })

  it('[API-04] a video that is on air stays, and so does its place in the history and on air', async () => {
    const videoId = await addVideo()
    await addEnded(namesOf(videoId), 3)
    const wanted = await addStream(db, userId, { video_id: videoId })
    const before = await named(videoId)
    const repo = createLibraryRepo(db)
    const video = await repo.byId(videoId)
    if (video) await expect(removalsBy(repo).removeVideo(video)).rejects.toBeInstanceOf(DomainError)
    expect(await named(videoId)).toEqual(before)
    // One that is started just then keeps what it plays.
    await endedNames(db).leaveVideo(videoId)
    for (const table of ['streams', 'broadcasts'] as const) {
      const naming = db.selectFrom(table).select('id').where('video_id', '=', videoId)
      expect(await naming.execute()).toEqual([{ id: wanted }])
    }
  })

  const listsBy = (deps: Pick<Parameters<typeof createPlaylistsService>[0], 'repo' | 'isOnAir' | 'leaveEnded'>) =>
    createPlaylistsService({
      ...{ library: {} as never, alike: {} as never, clock: systemClock },
      ...{ isScheduled: async () => false, onChanged: async () => {} },
      ...deps,
    })

  it('[SAFE-07] a playlist leaves it in small batches before it goes', async () => {
    const [id, other] = [await addList(), await addList()]
    await addEnded({ playlist_id: id })
    await addEnded({ playlist_id: other }, 2)
    const { repo, seen } = watched(createPlaylistsRepo(db))
    const lists = listsBy({ repo, isOnAir: async () => false, leaveEnded: endedNames(db).leavePlaylist })
    const { mostChanged } = await measure(() => lists.remove(asOwner(userId), id))
    expect(seen).toEqual([NOBODY])
    expect(mostChanged).toBeLessThanOrEqual(MOST_AT_ONCE)
    expect((await repo.contents([id])).size).toBe(0)
    expect((await named(other)).reduce((sum, count) => sum + count)).toBe(2)
  })

  it('a playlist that goes on air meanwhile stays', async () => {
    const id = await addList()
    const { repo, seen } = watched(createPlaylistsRepo(db))
    let isOnAir = false
    const leaveEnded = async () => {
      isOnAir = true
    }
    const lists = listsBy({ repo, isOnAir: async () => isOnAir, leaveEnded })
    await expect(lists.remove(asOwner(userId), id)).rejects.toMatchObject({ code: 'playlist_on_air' })
    expect(seen).toEqual([])
  })
})
