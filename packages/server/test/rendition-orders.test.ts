import { randomUUID } from 'node:crypto'
import { RENDITIONS_MAX } from '@siarin/contracts/rendition-texts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createRenditionOrdersRepo, type RenditionOrdersRepo } from '../src/modules/library/rendition-orders.repo.ts'
import { createRenditionsRepo, type RenditionsRepo } from '../src/modules/library/renditions.repo.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const RECIPE = '640x360@30:900'

describe.each(REPO_DATABASES)('[LIST-04] renditions that were ordered, on $name', ({ open }) => {
  let database: RepoDatabase
  let orders: RenditionOrdersRepo
  let renditions: RenditionsRepo
  let userId: string
  let videoId: string

  beforeAll(async () => {
    database = await open()
    orders = createRenditionOrdersRepo(database.db)
    renditions = createRenditionsRepo(database.db)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    userId = await addUser(database.db)
    videoId = await addVideo()
  })

  async function addVideo(): Promise<string> {
    const id = randomUUID()
    await createLibraryRepo(database.db).insert({
      ...{ id, user_id: userId, filename: `${id}.mp4`, status: 'ready', content_type: '', created_at: 0 },
      ...{ original_key: `${userId}/${id}/original.mp4`, original_bytes: 8 },
    })
    return id
  }
  const key = (recipe = RECIPE, video_id = videoId) => ({ video_id, recipe })
  async function begun(recipe = RECIPE) {
    const id = randomUUID()
    const row = { id, ...key(recipe), key: `${id}.mp4`, bytes: 5, content_type: 'video/mp4', created_at: 1 }
    expect(await renditions.begin({ ...row, loop: null, tail_key: null, thumbnail_key: null })).toBe(true)
    return { id, ...key(recipe) }
  }

  it('wait once, oldest first, and are told of by video', async () => {
    const other = await addVideo()
    expect(await orders.place(key(), 20)).toBe('placed')
    expect(await orders.place(key(RECIPE, other), 10)).toBe('placed')
    expect(await orders.place(key(), 30)).toBe('placed')
    expect(await orders.openOf(userId, 10)).toEqual([key(RECIPE, other), key()])
    expect(await orders.openOf(userId, 1)).toEqual([key(RECIPE, other)])
    expect(await orders.openOwners()).toContain(userId)
    expect((await orders.ofVideos([videoId, other])).orders).toHaveLength(2)
    expect((await orders.ofVideos([await addVideo()])).orders).toEqual([])
    expect(await orders.countOpen([videoId, other], RECIPE)).toBe(2)
    expect(await orders.isOpen(key())).toBe(true)
    expect((await orders.allOpen(1000)).filter(({ user_id }) => user_id === userId)).toHaveLength(2)
  })

  it('that failed wait no more, until they are wanted again', async () => {
    await orders.place(key(), 1)
    await orders.update(key(), { state: 'failed', progress: null, reason: 'prepare-failed' })
    expect(await orders.openOf(userId, 10)).toEqual([])
    expect(await orders.isOpen(key())).toBe(false)
    expect(await orders.openOwners()).not.toContain(userId)
    expect(await orders.place(key(), 2)).toBe('placed')
    expect((await orders.ofVideos([videoId])).orders).toEqual([
      { ...key(), state: 'waiting', progress: null, seconds_left: null, reason: null, created_at: 2 },
    ])
  })

  it('are ready in one step, take the place of the one before, and go with their video', async () => {
    await orders.place(key(), 1)
    const first = await begun()
    expect(await renditions.finishOrdered(first)).toBe(true)
    expect((await orders.ofVideos([videoId])).orders).toEqual([])
    expect(await orders.ready(key())).toMatchObject({ ...key(), bytes: 5 })
    expect(await orders.bytesOf(videoId)).toBe(5)
    expect(await orders.place(key(), 2)).toBe('ready')
    // Nobody has ordered it a second time.
    expect(await renditions.finishOrdered(await begun())).toBe(false)
    expect(await orders.place(key(), 3, { anew: true })).toBe('placed')
    expect(await renditions.finishOrdered(await begun())).toBe(true)
    expect((await renditions.staleOf(videoId, RECIPE)).map(({ id }) => id)).toContain(first.id)
    expect(await renditions.staleOf(videoId, 'as-is')).toEqual([])
    expect(await orders.retire(key())).toBe(true)
    expect(await orders.ready(key())).toBeNull()
    expect(await orders.retire(key('as-is'))).toBe(false)
    await orders.place(key(), 4)
    await createLibraryRepo(database.db).remove(videoId)
    expect(await orders.ofVideos([videoId])).toEqual({ made: [], orders: [] })
    expect(await orders.place(key(), 5)).toBe('gone')
  })

  it('are few', async () => {
    for (let kbps = 1; kbps <= RENDITIONS_MAX; kbps++) {
      expect(await orders.place(key(`640x360@30:${kbps}00`), 1)).toBe('placed')
    }
    expect(await orders.place(key('640x360@25:900'), 1)).toBe('too-many')
    expect(await orders.place(key('640x360@30:100'), 1)).toBe('placed')
    expect(await orders.remove(key('640x360@30:100'))).toBe(true)
    expect(await orders.remove(key('640x360@30:100'))).toBe(false)
    expect(await orders.place(key('640x360@25:900'), 1)).toBe('placed')
  })
})
