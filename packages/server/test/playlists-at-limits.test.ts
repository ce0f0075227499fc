import { randomUUID } from 'node:crypto'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, startProgramOn } from './support/databases.ts'
import { call, signIn, type TestProgram } from './support/program.ts'
import { type Measured, measure, measureCalmest, measuredText, STALL_MS } from './support/rows-read.ts'

const ITEMS = 500
const LISTS = isWholeRun ? 100 : 20

describe.each(BOTH_DATABASES)('playlists at their limits, on $name', { timeout: 120_000 }, ({ open }) => {
  let program: TestProgram
  let apiKey: string
  let userId: string
  const videoIds = Array.from({ length: ITEMS }, () => randomUUID())
  const listIds = Array.from({ length: LISTS }, () => randomUUID())

  async function inChunks<T>(rows: readonly T[], insert: (some: T[]) => Promise<unknown>): Promise<void> {
    for (let at = 0; at < rows.length; at += 500) await insert(rows.slice(at, at + 500))
  }

  beforeAll(async () => {
    program = await startProgramOn(open)
    const { user } = await signIn(program.url)
    apiKey = user.apiKey
    const { db } = program
    userId = (await db.selectFrom('users').select('id').where('email', '=', user.email).executeTakeFirstOrThrow()).id
    const facts = { status: 'ready', original_bytes: 1, duration_ms: 3_000, content_type: 'video/mp4', created_at: 100 }
    const videos = videoIds.map((id, index) => ({
      ...{ id, user_id: userId, filename: `${index}.mp4`, original_key: `${userId}/${id}/original.mp4` },
      ...facts,
    }))
    await inChunks(videos, (some) => db.insertInto('videos').values(some).execute())
    const lists = listIds.map((id, index) => ({
      ...{ id, user_id: userId, name: `Daftar ${index}`, created_at: index, updated_at: index },
    }))
    await inChunks(lists, (some) => db.insertInto('playlists').values(some).execute())
    const items = listIds.flatMap((playlist_id) =>
      videoIds.map((video_id, index) => ({
        ...{ id: randomUUID(), playlist_id, position: (index + 1) * 1024, video_id, removed_at: null },
      })),
    )
    await inChunks(items, (some) => db.insertInto('playlist_items').values(some).execute())
    const uses = listIds.flatMap((id) =>
      videoIds.map((video_id) => ({ video_id, used_by: `playlist:${id}`, user_id: userId })),
    )
    await inChunks(uses, (some) => db.insertInto('video_uses').values(some).execute())
  })
  afterAll(() => program.close())

  const send = (method: string, path: string, body?: object) =>
    call(program.url, method, `/fitur/playlist${path}`, { headers: { 'x-api-key': apiKey }, ...(body && { body }) })
  const print = (what: string, measured: Measured<unknown>) => process.stdout.write(measuredText(what, measured))

  it('[SAFE-07] a page of lists reads none of their items', async () => {
    const page = await measureCalmest(() => send('GET', '?limit=100'))
    print('page', page)
    expect(page.result.body.playlists).toHaveLength(LISTS)
    expect(page.result.body.playlists[0]).toMatchObject({ count: ITEMS, duration: ITEMS * 3 })
    expect(page.rows).toBeLessThan(LISTS + 20)
    expect(page.stallMs).toBeLessThan(5 * STALL_MS)
  })

  it('[SAFE-07] its totals follow every change, also one of a video', async () => {
    const [id = ''] = listIds
    const { db } = program
    const head = async () =>
      (await send('GET', '?limit=100')).body.playlists.find((list: { id: string }) => list.id === id)
    const [first, second] = (await send('GET', `/${id}`)).body.playlist.items
    await send('DELETE', `/${id}/items/${first.id}`)
    expect(await head()).toMatchObject({ count: ITEMS - 1, duration: (ITEMS - 1) * 3 })
    const own = { user_id: userId, original_bytes: 1, content_type: 'video/mp4', created_at: 1, original_key: null }
    const videoId = randomUUID()
    const late = { id: videoId, filename: 'late.mp4', status: 'processing', duration_ms: null }
    await db
      .insertInto('videos')
      .values({ ...own, ...late })
      .execute()
    const added = await send('POST', `/${id}/items`, { videos: ['late.mp4'], index: 3 })
    expect(added.body.playlist).toMatchObject({ count: ITEMS, duration: (ITEMS - 1) * 3 })
    await db.updateTable('videos').set({ duration_ms: 7_000 }).where('id', '=', videoId).execute()
    expect(await head()).toMatchObject({ count: ITEMS, duration: (ITEMS - 1) * 3 + 7 })
    await db.updateTable('videos').set({ duration_ms: 9_000 }).where('id', '=', videoId).execute()
    expect(await head()).toMatchObject({ count: ITEMS, duration: (ITEMS - 1) * 3 + 9 })
    const item = added.body.playlist.items[3]
    expect((await send('PATCH', `/${id}/items/${item.id}`, { index: 0 })).body.playlist.items[0].id).toBe(item.id)
    // As at the end of a plan, which takes videos whether lists hold them or not.
    await db.deleteFrom('video_uses').where('video_id', '=', videoId).execute()
    await db.deleteFrom('videos').where('id', '=', videoId).execute()
    expect(await head()).toMatchObject({ count: ITEMS - 1, duration: (ITEMS - 1) * 3 })
    const whole = (await send('GET', `/${id}`)).body.playlist
    expect(whole).toMatchObject({ count: ITEMS - 1, duration: (ITEMS - 1) * 3 })
    expect(whole.items[0].id).toBe(second.id)
  })

  it('[SAFE-07] one list is read and changed without holding up the others', async () => {
    const id = listIds.at(-1) ?? ''
    const read = await measureCalmest(() => send('GET', `/${id}`))
    print('one list', read)
    expect(read.result.body.playlist.items).toHaveLength(ITEMS)
    expect(read.stallMs).toBeLessThan(5 * STALL_MS)
    const [first] = read.result.body.playlist.items
    const calls: [string, () => ReturnType<typeof send>][] = [
      ['move', () => send('PATCH', `/${id}/items/${first.id}`, { index: 250 })],
      ['rename', () => send('PATCH', `/${id}`, { name: 'Malam' })],
      ['remove', () => send('DELETE', `/${id}/items/${first.id}`)],
      ['add', () => send('POST', `/${id}/items`, { videos: ['0.mp4'], index: 0 })],
    ]
    for (const [what, work] of calls) {
      const done = await measure(work)
      print(what, done)
      expect(done.result.status).toBe(200)
      expect(done.stallMs).toBeLessThan(5 * STALL_MS)
      // Once for the change and once for the answer: 500 items with their videos, renditions and orders.
      expect(done.rows).toBeLessThan(4 * ITEMS)
    }
    const uses = await program.db
      .selectFrom('video_uses')
      .select('video_id')
      .where('used_by', '=', `playlist:${id}`)
      .execute()
    expect(uses).toHaveLength(ITEMS)
  })

  it('[SAFE-07] a gap that is used up is made wide again by one statement', async () => {
    const id = listIds[1] ?? ''
    const items = (await send('GET', `/${id}`)).body.playlist.items as { id: string }[]
    const ids = items.map((item) => item.id)
    await program.db
      .updateTable('playlist_items')
      .set({ position: 1024.0001 })
      .where('id', '=', ids[1] ?? '')
      .execute()
    const moved = await measure(() => send('PATCH', `/${id}/items/${ids.at(-1)}`, { index: 1 }))
    print('wide again', moved)
    expect(moved.statements).toBeLessThan(60)
    const after = moved.result.body.playlist.items.map((item: { id: string }) => item.id)
    expect(after).toEqual([ids[0], ids.at(-1), ...ids.slice(1, -1)])
    expect(moved.stallMs).toBeLessThan(5 * STALL_MS)
  })
})
