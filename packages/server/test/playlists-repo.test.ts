import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createPlaylistsRepo, listChanges } from '../src/modules/playlists/playlists.repo.ts'
import type { Db } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

describe.each(REPO_DATABASES)('what is kept of playlists on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
    userId = await addUser(db)
  })
  afterAll(() => close())

  async function addVideo(): Promise<string> {
    const id = randomUUID()
    const original_key = `${userId}/${id}/original.mp4`
    const facts = { status: 'ready', original_bytes: 1, duration_ms: 3_000, content_type: 'video/mp4', created_at: 100 }
    await createLibraryRepo(db).insert({ id, user_id: userId, filename: `${id}.mp4`, original_key, ...facts })
    return id
  }
  async function addList(): Promise<string> {
    const id = randomUUID()
    await createPlaylistsRepo(db).insert({ id, user_id: userId, name: id, created_at: 1, updated_at: 1 }, 100)
    return id
  }
  const add = (id: string, videoId: string) =>
    createPlaylistsRepo(db).change({ id, userId }, 5, (inside, content) =>
      listChanges(inside, content).add([videoId], content.items.length),
    )

  it('has every item of changes that come at once, each at a position of its own', async () => {
    const [id, videoId] = [await addList(), await addVideo()]
    await Promise.all(Array.from({ length: 8 }, () => add(id, videoId)))
    const content = (await createPlaylistsRepo(db).contents([id])).get(id)
    expect(content?.playlist).toMatchObject({ version: 9, updated_at: 5 })
    expect(new Set(content?.items.map(({ position }) => position)).size).toBe(8)
  })

  it('keeps a video from being deleted until its last item is taken out, and remembers where that was', async () => {
    const [id, videoId] = [await addList(), await addVideo()]
    await add(id, videoId)
    expect(await createLibraryRepo(db).remove(videoId)).toBe(false)
    expect([await createLibraryRepo(db).isListed(videoId), await createLibraryRepo(db).isOnAir(videoId)]).toEqual([
      true,
      false,
    ])
    const repo = createPlaylistsRepo(db)
    const [item] = (await repo.contents([id])).get(id)?.items ?? []
    await repo.change({ id, userId }, 6, (inside, content) => listChanges(inside, content).remove(item?.id ?? '', 6))
    const after = (await repo.contents([id])).get(id)
    expect([after?.items, after?.removed[0]?.position]).toEqual([[], item?.position])
    expect(await createLibraryRepo(db).remove(videoId)).toBe(true)
  })

  it('lets the videos of a plan that has ended go, and with them their items', async () => {
    const [id, videoId] = [await addList(), await addVideo()]
    await add(id, videoId)
    await createLibraryRepo(db).forgetLists(userId)
    expect(await createLibraryRepo(db).remove(videoId)).toBe(true)
    expect((await createPlaylistsRepo(db).contents([id])).get(id)?.items).toEqual([])
  })

  it('changes nothing of somebody else, nor of a version that is no longer there', async () => {
    const id = await addList()
    const rename = (inside: Db, content: Parameters<typeof listChanges>[1]) =>
      listChanges(inside, content).set({ name: 'x' })
    const repo = createPlaylistsRepo(db)
    expect(await repo.change({ id, userId: 'stranger' }, 5, rename)).toBeNull()
    expect(await repo.change({ id, userId, version: 7 }, 5, rename)).toBeNull()
    expect((await repo.contents([id])).get(id)?.playlist).toMatchObject({ name: id, version: 1 })
  })
})
