import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLibraryRepo, type LibraryRepo } from '../src/modules/library/library.repo.ts'
import { createRenditionOrdersRepo } from '../src/modules/library/rendition-orders.repo.ts'
import { createRenditionsRepo } from '../src/modules/library/renditions.repo.ts'
import type { Db } from '../src/platform/db/database.ts'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { whileOutboxIsAway } from './support/outbox-away.ts'
import { signIn, uploadVideo } from './support/program.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const RECIPE = '640x360@30:900'
const GIB = 1024 ** 3
const MOST_OF_IT = Math.round(0.95 * GIB)

async function toldTo(db: Db, userId: string) {
  const told = db.selectFrom('outbox').selectAll().where('user_id', '=', userId).where('fact', '=', 'room.low')
  return (await told.orderBy('id').execute()).map(({ payload, ...row }) => ({ ...row, ...JSON.parse(payload) }))
}

describe.each(REPO_DATABASES)('[ALERT-01] a room that runs low, on $name', ({ open }) => {
  let opened: RepoDatabase
  let db: Db
  let userId: string
  let room: number
  let repo: LibraryRepo
  const clock = { now: () => 77 }
  const roomOf = async () => room

  beforeAll(async () => {
    opened = await open()
    db = opened.db
    repo = createLibraryRepo(db, clock, roomOf)
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    room = 100
    userId = await addUser(db)
  })

  const videoOf = (bytes: number) => {
    const id = randomUUID()
    const files = { filename: `${id}.mp4`, original_key: `${id}.mp4`, original_bytes: bytes }
    return { id, user_id: userId, status: 'ready', content_type: 'video/mp4', created_at: 1, ...files }
  }
  async function arrive(bytes: number): Promise<string> {
    const video = videoOf(bytes)
    await repo.insertArrived(video, 'none')
    return video.id
  }
  const used = async () => (await toldTo(db, userId)).map(({ usedBytes }) => usedBytes)

  it('is told when nine tenths are used, with how much that is, and not again while it stays', async () => {
    await arrive(89)
    expect(await used()).toEqual([])
    await arrive(1)
    await arrive(5)
    const told = { fact: 'room.low', at: 77, subject_kind: 'workspace', subject_id: userId }
    expect(await toldTo(db, userId)).toMatchObject([{ ...told, usedBytes: 90, roomBytes: 100 }])
  })

  it('is told again only after it had fallen below eight tenths', async () => {
    const [, small, large] = [await arrive(70), await arrive(10), await arrive(15)]
    expect(await used()).toEqual([95])
    await repo.remove(large)
    // Exactly eight tenths are not below.
    const again = await arrive(15)
    expect(await used()).toEqual([95])
    await repo.remove(small)
    await repo.remove(again)
    await arrive(23)
    expect(await used()).toEqual([95, 93])
  })

  it('is told of a larger room too, and not again of one that has shrunk since', async () => {
    await arrive(95)
    room = 1_000
    await arrive(860)
    expect(await used()).toEqual([95, 955])
    room = 960
    await arrive(1)
    expect(await used()).toEqual([95, 955])
  })

  it('is told of a fetched file, and of what is made of a video', async () => {
    const fetched = videoOf(0)
    await repo.insert({ ...fetched, status: 'processing' })
    expect(await repo.updateArrived(fetched, { original_bytes: 90 })).toBe(true)
    expect(await used()).toEqual([90])

    userId = await addUser(db)
    const renditions = createRenditionsRepo(db, clock, roomOf)
    const orders = createRenditionOrdersRepo(db)
    const video_id = await arrive(40)
    const begun = async (recipe: string, bytes: number) => {
      const id = randomUUID()
      const row = { id, video_id, recipe, key: `${id}.mp4`, bytes, content_type: 'video/mp4', created_at: 1 }
      const rendition = { ...row, loop: null, tail_key: null, thumbnail_key: null }
      expect(await renditions.begin(rendition)).toBe(true)
      return rendition
    }
    expect(await renditions.finish(await begun('as-is', 50), { status: 'ready' })).toBe(true)
    expect(await used()).toEqual([])
    await orders.place({ video_id, recipe: RECIPE }, 1)
    expect(await renditions.finishOrdered(await begun(RECIPE, 45))).toBe(true)
    expect(await used()).toEqual([95])
    expect(await orders.retire({ video_id, recipe: RECIPE })).toBe(true)
    await orders.place({ video_id, recipe: RECIPE }, 1)
    expect(await renditions.finishOrdered(await begun(RECIPE, 42))).toBe(true)
    expect(await used()).toEqual([95, 92])
  })

  it('is told once, however many arrive at the same moment', async () => {
    await Promise.all(Array.from({ length: 10 }, () => arrive(10)))
    expect(await used()).toEqual([90])
  })

  it('is told with the change or not at all', async () => {
    await whileOutboxIsAway(db, () => expect(arrive(95)).rejects.toThrow())
    expect(await repo.pageOf(userId, null, 100)).toEqual([])
    await arrive(95)
    expect(await used()).toEqual([95])
  })
})

describe.each(DATABASES)('[ALERT-01] an upload that leaves little room, on $name', ({ open }) => {
  it('is told', async () => {
    const [folder, program] = await Promise.all([tempDir('low'), startProgramOn(open, { STORAGE_LIMIT_GB: '1' })])
    try {
      const clip = join(folder.path, 'klip.mp4')
      await makeClip(clip, { seconds: 1 })
      const { user } = await signIn(program.url)
      const { db } = program
      const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
      await createLibraryRepo(db).insert({
        ...{ id: randomUUID(), user_id, filename: 'besar.mp4', status: 'ready', original_bytes: MOST_OF_IT },
        ...{ content_type: 'video/mp4', created_at: 1 },
      })
      expect((await uploadVideo(program.url, user.apiKey, clip)).status).toBe(200)
      const [told] = await toldTo(db, user_id)
      expect(told).toMatchObject({ subject_id: user_id, roomBytes: GIB })
      expect(told?.usedBytes).toBeGreaterThan(MOST_OF_IT)
    } finally {
      await program.close()
      await folder.remove()
    }
  })
})
