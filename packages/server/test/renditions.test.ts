import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { playedRenditions } from '../src/modules/broadcasts/store/played-renditions.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createRenditionOrdersRepo } from '../src/modules/library/rendition-orders.repo.ts'
import { createRenditionStore, type RenditionStore } from '../src/modules/library/rendition-store.ts'
import { createRenditionsRepo } from '../src/modules/library/renditions.repo.ts'
import type { VideoRow } from '../src/modules/library/video-row.ts'
import { createPlaylistsRepo } from '../src/modules/playlists/playlists.repo.ts'
import { createLocalStorage } from '../src/platform/storage/local.ts'
import type { Storage } from '../src/platform/storage/storage.ts'
import { addStream } from './support/analytics.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const LOOP = { seconds: 6, startSeconds: 0, outpoint: null, bodySeconds: null }
const DAY_MS = 86_400_000

describe.each(REPO_DATABASES)('the masters of a video, on $name', ({ open }) => {
  let folder: TempDir
  let database: RepoDatabase
  let storage: Storage
  let masters: RenditionStore
  let video: VideoRow
  let onAir: boolean
  let played: string | null
  let recorded: string | null
  let removable: boolean
  let now: number
  let toldAsPlayed: string[]

  beforeAll(async () => {
    ;[folder, database] = await Promise.all([tempDir('renditions'), open()])
    await mkdir(join(folder.path, 'media'))
    storage = createLocalStorage(join(folder.path, 'media'))
  })
  afterAll(async () => {
    await database.close()
    await folder.remove()
  })

  beforeEach(async () => {
    const repo = createLibraryRepo(database.db)
    const [id, userId] = [randomUUID(), await addUser(database.db)]
    ;[onAir, played, recorded, removable, now] = [false, null, null, true, 1_000]
    await repo.insert({
      ...{ id, user_id: userId, filename: 'klip.mkv', status: 'processing', content_type: '', created_at: 0 },
      ...{ original_key: `${userId}/${id}/original.mkv`, original_bytes: 8 },
    })
    video = (await repo.byId(id)) ?? expect.unreachable()
    await storage.put(video.original_key ?? '', await made('original'))
    toldAsPlayed = []
    masters = createRenditionStore({
      renditions: createRenditionsRepo(database.db),
      storage: {
        ...storage,
        async put(key, file, options = {}) {
          if (options.isPlayed) toldAsPlayed.push(key)
          await storage.put(key, file)
        },
        async remove(prefix) {
          if (!removable) throw new Error('the disk does not answer')
          await storage.remove(prefix)
        },
      },
      clock: { now: () => now },
      log: pino({ level: 'silent' }),
      isOnAir: async () => onAir,
      isPlayed: async (_videoId, recipe) => recipe === played,
      recordings: { isKeyKept: async (key) => key === recorded },
    })
  })

  async function made(content: string): Promise<string> {
    const file = join(folder.path, randomUUID())
    await writeFile(file, content)
    return file
  }
  const master = async (file: string | null) => ({
    file: file && (await made(file)),
    bytes: 9,
    contentType: 'video/mp4',
    loop: null,
    tail: null,
  })

  async function begin(file: string | null) {
    const begun = await masters.begin(video, video.original_key ?? '', await master(file))
    if (!begun) return expect.unreachable()
    return masters.addPicture(begun, await made('picture'))
  }
  async function publish(file: string | null): Promise<string> {
    const rendition = await begin(file)
    expect(await masters.finish(video, rendition, { status: 'ready' })).toBe(true)
    return rendition.key
  }
  /** The files of this video, without what makes their names unlike any other. */
  async function kinds(): Promise<string[]> {
    const found: string[] = []
    for await (const key of storage.list()) if (key.includes(video.id)) found.push(key)
    return found.map((key) => key.replace(/.*\/|-[\da-f-]{36}/g, '')).sort()
  }
  const playing = async () => (await createLibraryRepo(database.db).byId(video.id))?.master?.key

  it('are told to the storage as what broadcasts play, unlike their pictures', async () => {
    const { key } = await begin('first')
    expect(toldAsPlayed).toEqual([key])
  })

  it('are put beside those that there are, under names of their own, and then take their place', async () => {
    const first = await publish('first')
    const second = await publish('second')
    expect(await playing()).toBe(second)
    expect(await kinds()).toEqual(['master.mp4', 'master.mp4', 'original.mkv', 'thumbnail.jpg', 'thumbnail.jpg'])
    await masters.clearOf(video.id)
    expect(await kinds()).toEqual(['master.mp4', 'original.mkv', 'thumbnail.jpg'])
    expect(await storage.head(first)).toBeNull()
    expect(await storage.head(second)).not.toBeNull()
  })

  it('are the original itself where that is fit, which no newer one removes', async () => {
    expect(await publish(null)).toBe(video.original_key)
    await publish(null)
    await masters.clearOf(video.id)
    expect(await kinds()).toEqual(['original.mkv', 'thumbnail.jpg'])
    await publish('smaller')
    await masters.clearOf(video.id)
    expect(await kinds()).toEqual(['master.mp4', 'original.mkv', 'thumbnail.jpg'])
  })

  it('stay while they may be on air, and go afterwards', async () => {
    const first = await publish('first')
    onAir = true
    await publish('second')
    await masters.clearOf(video.id)
    await masters.clearLeft()
    expect(await storage.head(first)).not.toBeNull()
    onAir = false
    await masters.clearLeft()
    expect(await storage.head(first)).toBeNull()
    expect(await kinds()).toEqual(['master.mp4', 'original.mkv', 'thumbnail.jpg'])
  })

  it('of another recipe stay while that is on air, and not because the video is', async () => {
    const recipe = '640x360@30:900'
    const orders = createRenditionOrdersRepo(database.db)
    async function make(): Promise<void> {
      expect(await orders.place({ video_id: video.id, recipe }, now, { anew: true })).toBe('placed')
      const file = { file: await made('ordered'), bytes: 20, contentType: 'video/mp4' }
      expect(await masters.publishOrdered(video, recipe, file)).toBe(true)
      await masters.clearOf(video.id, recipe)
    }
    const room = () => createLibraryRepo(database.db).usedBytes(video.user_id)
    ;[onAir, played] = [true, recipe]
    await make()
    expect(await room()).toBe(20)
    await make()
    expect(await kinds()).toEqual(['original.mkv', 'rendition.mp4', 'rendition.mp4'])
    // What was replaced lies there and counts: made anew again and again, it would fill the disk.
    expect(await room()).toBe(40)
    expect(await orders.bytesOf(video.id)).toBe(40)
    played = null
    await masters.clearLeft()
    expect(await kinds()).toEqual(['original.mkv', 'rendition.mp4'])
    expect(await room()).toBe(20)
  })

  it('of a recipe are played while a broadcast of the video plays that, and no other', async () => {
    const { db } = database
    const isPlayed = playedRenditions(db, createPlaylistsRepo(db))
    const recipe = '640x360@30:900'
    expect(await isPlayed(video.id, recipe)).toBe(false)
    const id = await addStream(db, video.user_id, { video_id: video.id })
    expect(await createLibraryRepo(db).isOnAir(video.id)).toBe(true)
    expect(await isPlayed(video.id, recipe)).toBe(false)
    await db.updateTable('streams').set({ position_recipe: recipe }).where('id', '=', id).execute()
    expect(await isPlayed(video.id, recipe)).toBe(true)
    expect(await isPlayed(video.id, '640x360@25:900')).toBe(false)
    await db.updateTable('streams').set({ position_recipe: null, recipe }).where('id', '=', id).execute()
    expect(await isPlayed(video.id, recipe)).toBe(true)
    await db.updateTable('streams').set({ phase: 'ended' }).where('id', '=', id).execute()
    expect(await isPlayed(video.id, recipe)).toBe(false)
  })

  it('[REC-01] stay while a recording is played from them, and go afterwards', async () => {
    const first = await publish('first')
    recorded = first
    await publish('second')
    await masters.clearOf(video.id)
    await masters.clearLeft()
    expect(await storage.head(first)).not.toBeNull()
    recorded = null
    await masters.clearLeft()
    expect(await storage.head(first)).toBeNull()
  })

  it('go when a preparation has not come to its end: with the next one, or a day after a crash', async () => {
    const first = await publish('first')
    await begin('left by a failure')
    await masters.clearOf(video.id)
    await begin('left by a crash')
    now += DAY_MS
    await masters.clearLeft()
    expect(await kinds()).toHaveLength(5)
    now += 1
    await masters.clearLeft()
    expect(await kinds()).toEqual(['master.mp4', 'original.mkv', 'thumbnail.jpg'])
    expect(await playing()).toBe(first)
  })

  it('go with their tails', async () => {
    const order = { ...(await master(null)), loop: { ...LOOP, bodySeconds: 5 }, tail: await made('tail') }
    const begun = await masters.begin(video, video.original_key ?? '', order)
    if (!begun) return expect.unreachable()
    expect(await masters.finish(video, { ...begun, thumbnail_key: null }, { status: 'ready' })).toBe(true)
    expect(await createLibraryRepo(database.db).byId(video.id)).toMatchObject({
      master: { key: video.original_key, loop: order.loop, tailKey: expect.stringContaining('tail-') },
    })
    expect(await kinds()).toEqual(['original.mkv', 'tail.mp4'])
    await publish('newer')
    await masters.clearOf(video.id)
    expect(await kinds()).toEqual(['master.mp4', 'original.mkv', 'thumbnail.jpg'])
  })

  it('go later where they cannot go now', async () => {
    await publish('first')
    await publish('second')
    removable = false
    await masters.clearOf(video.id)
    expect(await kinds()).toHaveLength(5)
    removable = true
    await masters.clearLeft()
    expect(await kinds()).toHaveLength(3)
  })

  it("are one at a time: a newer one is the video's in one step with what the row tells", async () => {
    const repo = createLibraryRepo(database.db)
    await publish('first')
    const second = await publish('second')
    expect(await repo.pageOf(video.user_id, null, 100)).toMatchObject([
      {
        status: 'ready',
        master: {
          key: second,
          bytes: 9,
          contentType: 'video/mp4',
          thumbnailKey: expect.stringContaining('thumbnail-'),
        },
      },
    ])
  })

  it("do not become the video's once somebody took them for left behind", async () => {
    const first = await publish('first')
    const rendition = await begin('slow')
    await masters.clearOf(video.id)
    expect(await masters.finish(video, rendition, { status: 'failed' })).toBe(false)
    expect(await createLibraryRepo(database.db).byId(video.id)).toMatchObject({
      status: 'ready',
      master: { key: first },
    })
  })

  it('are not made of a video that is gone, and leave nothing where it goes meanwhile', async () => {
    const rendition = await begin('too late')
    await createLibraryRepo(database.db).remove(video.id)
    expect(await masters.finish(video, rendition, { status: 'ready' })).toBe(false)
    expect(await kinds()).toEqual(['original.mkv'])
    expect(await masters.begin(video, video.original_key ?? '', await master('later still'))).toBeNull()
    expect(await kinds()).toEqual(['original.mkv'])
  })
})
