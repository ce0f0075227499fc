import { join } from 'node:path'
import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlaylistsRepo } from '../src/modules/playlists/playlists.repo.ts'
import { call, processed, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'

const NAMES = ['a.mp4', 'b.mp4', 'c.mp4']

let folder: TempDir
let program: TestProgram
let apiKey: string

beforeAll(async () => {
  folder = await tempDir('playlists-api')
  program = await startProgram()
  apiKey = (await signIn(program.url)).user.apiKey
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  const short = join(folder.path, 'pendek.mp4')
  await makeClip(short, { seconds: 1 })
  for (const name of NAMES) await uploadVideo(program.url, apiKey, clip, name)
  await uploadVideo(program.url, apiKey, short, 'pendek.mp4')
  for (const name of [...NAMES, 'pendek.mp4']) await processed(program.url, apiKey, name)
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

const send = (method: string, path: string, body: object = {}, key = apiKey) =>
  call(program.url, method, path, { headers: { 'x-api-key': key }, ...(method === 'GET' ? {} : { body }) })
const namesOf = ({ items }: { items: { filename: string }[] }) => items.map(({ filename }) => filename)
const newList = async (videos: readonly string[], name = 'Daftar') =>
  (await send('POST', '/fitur/playlist', { name, videos })).body.playlist

describe('the calls of playlists', () => {
  it('[LIST-02] make a list, put items into it, move them, take them out, and delete it', async () => {
    const list = await newList(['a.mp4', 'b.mp4', 'a.mp4'])
    expect(list).toMatchObject({ name: 'Daftar', shuffle: false, count: 3, duration: 9, version: 2 })
    expect(list.items[0]).toMatchObject({ index: 0, filename: 'a.mp4', duration: 3, status: 'ready' })
    const path = `/fitur/playlist/${list.id}`
    // A busy machine knows it only after the answer.
    await waitFor('what fits', async () => (await send('GET', path)).body.playlist.items[0].fits === true)
    const added = (await send('POST', `${path}/items`, { videos: ['c.mp4'], index: 1 })).body.playlist
    expect(namesOf(added)).toEqual(['a.mp4', 'c.mp4', 'b.mp4', 'a.mp4'])
    const moved = (await send('PATCH', `${path}/items/${added.items[1].id}`, { index: 3 })).body.playlist
    expect(namesOf(moved)).toEqual(['a.mp4', 'b.mp4', 'a.mp4', 'c.mp4'])
    const removed = (await send('DELETE', `${path}/items/${list.items[1].id}`)).body.playlist
    expect(namesOf(removed)).toEqual(['a.mp4', 'a.mp4', 'c.mp4'])
    const changed = (await send('PATCH', path, { name: ' Malam ', shuffle: true })).body.playlist
    expect(changed).toMatchObject({ name: 'Malam', shuffle: true, version: removed.version + 1 })
    expect((await send('GET', path)).body.playlist).toEqual(changed)
    expect((await send('DELETE', path)).body.message).toBe(PLAYLIST_TEXTS.removed)
    expect((await send('GET', path)).status).toBe(404)
  })

  it('keep their order however often an item is moved to the same gap', async () => {
    const list = await newList(['a.mp4', 'b.mp4', 'c.mp4'])
    let names: string[] = []
    for (let turn = 0; turn < 30; turn++) {
      const { items } = (await send('GET', `/fitur/playlist/${list.id}`)).body.playlist
      names = namesOf(
        (await send('PATCH', `/fitur/playlist/${list.id}/items/${items[2].id}`, { index: 1 })).body.playlist,
      )
    }
    expect(names).toEqual(['a.mp4', 'b.mp4', 'c.mp4'])
  })

  it('refuse a change of what somebody else has changed since', async () => {
    const list = await newList(['a.mp4'])
    const path = `/fitur/playlist/${list.id}`
    expect((await send('PATCH', path, { name: 'Satu', version: list.version })).status).toBe(200)
    const late = await send('PATCH', path, { name: 'Dua', version: list.version })
    expect([late.status, late.body.code]).toEqual([409, 'playlist_changed'])
    expect((await send('GET', path)).body.playlist.name).toBe('Satu')
  })

  it('list them page by page, newest first', async () => {
    const { apiKey: key } = (await signIn(program.url)).user
    for (const name of ['satu', 'dua', 'tiga']) await send('POST', '/fitur/playlist', { name }, key)
    const first = (await send('GET', '/fitur/playlist?limit=2', {}, key)).body
    const rest = (await send('GET', `/fitur/playlist?limit=2&cursor=${first.nextCursor}`, {}, key)).body
    const seen = [...first.playlists, ...rest.playlists].map(({ name }: { name: string }) => name)
    expect([seen.length, new Set(seen)]).toEqual([3, new Set(['satu', 'dua', 'tiga'])])
    expect(rest.nextCursor).toBeNull()
    expect((await send('GET', '/fitur/playlist?cursor=%27--', {}, key)).status).toBe(400)
  })

  it('are for their owner alone', async () => {
    const list = await newList(['a.mp4'])
    const { apiKey: stranger } = (await signIn(program.url)).user
    const path = `/fitur/playlist/${list.id}`
    const item = `${path}/items/${list.items[0].id}`
    const answers = await Promise.all([
      send('GET', path, {}, stranger),
      send('PATCH', path, { name: 'x' }, stranger),
      send('DELETE', path, {}, stranger),
      send('PATCH', item, { index: 0 }, stranger),
      send('DELETE', item, {}, stranger),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    // Nor do they take somebody else's video.
    expect((await send('POST', '/fitur/playlist', { name: 'x', videos: ['a.mp4'] }, stranger)).status).toBe(400)
    const start = { source: `playlist:${list.id}`, platform: 'lain', rtmpStream: 'rtmp://127.0.0.1:1/live/x' }
    expect((await send('POST', '/fitur/steam/start', start, stranger)).body.code).toBe('source_invalid')
  })

  it.each([
    ['a video that is too short', { name: 'x', videos: ['pendek.mp4'] }, PLAYLIST_TEXTS.tooShort('pendek.mp4')],
    ['a video that is not there', { name: 'x', videos: ['tidak.mp4'] }, PLAYLIST_TEXTS.videoNotFound('tidak.mp4')],
    ['a list without a name', { name: ' ' }, PLAYLIST_TEXTS.nameRequired],
    ['more than 500 items', { name: 'x', videos: Array(501).fill('a.mp4') }, PLAYLIST_TEXTS.tooManyItems(500)],
  ])('refuse %s', async (_name, body, message) => {
    const answer = await send('POST', '/fitur/playlist', body)
    expect([answer.status, answer.body.message]).toEqual([400, message])
  })

  it('take 500 items and not one more', async () => {
    const list = await newList(Array(500).fill('b.mp4'), 'Panjang')
    expect(list.count).toBe(500)
    const more = await send('POST', `/fitur/playlist/${list.id}/items`, { videos: ['a.mp4'] })
    expect([more.status, more.body.code]).toEqual([409, 'playlist_limit_reached'])
    expect((await send('DELETE', `/fitur/playlist/${list.id}`)).status).toBe(200)
  })

  it('do not start an empty list', async () => {
    const list = await newList([])
    const start = { source: `playlist:${list.id}`, platform: 'lain', rtmpStream: 'rtmp://127.0.0.1:1/live/x' }
    expect((await send('POST', '/fitur/steam/start', start)).body.message).toBe(PLAYLIST_TEXTS.empty)
  })
})

describe('a video that is in a playlist', () => {
  const remove = () => send('DELETE', '/fitur/video/delete/c.mp4')

  it('is not deleted, also after a version that knows no playlists, until it is taken out', async () => {
    for (const { id } of (await send('GET', '/fitur/playlist')).body.playlists)
      await send('DELETE', `/fitur/playlist/${id}`)
    const list = await newList(['c.mp4', 'a.mp4'])
    expect((await remove()).body.code).toBe('video_in_playlist')
    // As an earlier version, and a restored backup, do.
    await program.db.deleteFrom('video_uses').execute()
    await createPlaylistsRepo(program.db).holdVideos()
    expect((await remove()).body.code).toBe('video_in_playlist')
    await send('DELETE', `/fitur/playlist/${list.id}/items/${list.items[0].id}`)
    expect((await remove()).status).toBe(200)
    expect(namesOf((await send('GET', `/fitur/playlist/${list.id}`)).body.playlist)).toEqual(['a.mp4'])
  })
})
