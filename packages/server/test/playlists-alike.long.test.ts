import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import type { Playlist } from '@siarin/contracts/playlists'
import { RENDITION_TEXTS } from '@siarin/contracts/rendition-texts'
import { packetsOf } from '@siarin/testkit/recording'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlaylistStage, type PlaylistStage } from './support/playlist-stage.ts'
import { call, signIn, videosOf } from './support/program.ts'

/** The second one is made anew by us when it comes in, at the size and rate of the first: it is what the others are to become. */
const CLIPS = {
  'a.mp4': { seconds: 2.2, picture: 'testsrc2' },
  'b.mkv': { seconds: 2.4, picture: 'smptebars', videoCodec: 'libx265' },
  'c.mp4': { seconds: 2.6, picture: 'rgbtestsrc', width: 256, height: 192, fps: 30 },
  'd.mp4': { seconds: 2.8, picture: 'yuvtestsrc', width: 192, height: 256 },
} as const
const RECIPE = '320x180@25:500'
const MAX_STEP_MS = 100

let stage: PlaylistStage
let program: PlaylistStage['program']
let apiKey: string
let calls: PlaylistStage['calls']
let send: PlaylistStage['send']

beforeAll(async () => {
  stage = await openPlaylistStage(CLIPS, { STORAGE_LIMIT_GB: '1' })
  ;({ program, apiKey, calls, send } = stage)
})
afterAll(() => stage.close())

const read = async (id: string): Promise<Playlist> =>
  (await call(program.url, 'GET', `/fitur/playlist/${id}?apiKey=${apiKey}`)).body.playlist

const listWhere = (what: string, id: string, isSo: (playlist: Playlist) => boolean): Promise<Playlist> =>
  waitFor(
    what,
    async () => {
      const playlist = await read(id)
      return isSo(playlist) && playlist
    },
    { timeoutMs: 120_000 },
  )
const fitsOf = ({ items }: Playlist) => items.map(({ fits }) => fits)
const isKnown = (playlist: Playlist): boolean =>
  fitsOf(playlist).every((fits) => fits !== null) && playlist.alike !== null
const recipesOf = async (): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    (await videosOf(program.url, apiKey)).map(({ filename, renditions }) => [
      filename,
      renditions?.map(({ recipe, state }) => `${recipe} ${state}`) ?? [],
    ]),
  )

/** One round of a list, as the platform received it. */
async function roundOf(key: string, playlistId: string): Promise<string[]> {
  const { body } = await calls.start(apiKey, key, { source: `playlist:${playlistId}`, looping: false })
  await waitFor(
    'its end',
    async () => (await calls.history(apiKey)).some(({ streamId }) => streamId === body.streamId),
    { timeoutMs: 120_000, everyMs: 250 },
  )
  return stage.recordingsOf(key)
}

async function stepsIn(recording: string) {
  const { video, audio } = await packetsOf(recording)
  const steps = [video, audio].flatMap((packets) =>
    packets.slice(1).map(({ decodedMs }, index) => decodedMs - (packets[index]?.decodedMs ?? Number.NaN)),
  )
  return { smallest: Math.min(...steps), largest: Math.max(...steps), lastMs: video.at(-1)?.shownMs ?? 0 }
}

describe('[LIST-04] a playlist of videos that are not alike', { timeout: 240_000 }, () => {
  it('is made alike once, without making anew what fits, and plays in one session', async () => {
    const names = ['a.mp4', 'b.mkv', 'c.mp4']
    const { playlist } = await send('POST', '/fitur/playlist', { name: 'Campur', videos: [...names, 'a.mp4'] })
    const before = await listWhere('it to be known which fit', playlist.id, isKnown)
    expect(fitsOf(before)).toEqual([true, false, false, true])
    expect(before).toMatchObject({
      recipe: null,
      alike: { recipe: RECIPE, missing: 2, underWay: 0, failed: 0, progress: null },
    })
    expect(before.alike?.bytes).toBeGreaterThan(100_000)

    const asked = await send('POST', `/fitur/playlist/${playlist.id}/alike`)
    expect(asked).toMatchObject({ success: true, message: PLAYLIST_TEXTS.alikeBegun, playlist: { recipe: RECIPE } })
    const states = asked.playlist.items.map(({ rendition }: Playlist['items'][number]) => rendition?.state ?? null)
    expect(states[1]).toBeNull()
    expect(asked.playlist.alike).toMatchObject({ recipe: RECIPE, missing: 0 })
    // Asked again meanwhile, nothing is made twice.
    await send('POST', `/fitur/playlist/${playlist.id}/alike`)
    const after = await listWhere('all items to fit', playlist.id, ({ alike, items }) =>
      items.every(({ fits }) => fits === true && alike === null),
    )
    expect(after.items.map(({ rendition }) => rendition?.state ?? null)).toEqual(['ready', null, 'ready', 'ready'])
    expect(await recipesOf()).toEqual({
      ...{ 'a.mp4': [`${RECIPE} ready`], 'b.mkv': [], 'c.mp4': [`${RECIPE} ready`], 'd.mp4': [] },
    })
    expect(await send('POST', `/fitur/playlist/${playlist.id}/alike`)).toMatchObject({
      ...{ success: true, message: PLAYLIST_TEXTS.alikeAlready },
    })

    const recordings = await roundOf('alike', playlist.id)
    expect(recordings).toHaveLength(1)
    const { smallest, largest, lastMs } = await stepsIn(recordings[0] ?? '')
    expect(smallest).toBeGreaterThanOrEqual(0)
    expect(largest).toBeLessThanOrEqual(MAX_STEP_MS)
    expect(lastMs).toBeGreaterThan(9_000)

    // What comes later does not fit until it is made so as well.
    await send('POST', `/fitur/playlist/${playlist.id}/items`, { videos: ['d.mp4'] })
    const added = await listWhere('the new item to be judged', playlist.id, isKnown)
    expect(fitsOf(added)).toEqual([true, true, true, true, false])
    expect(added.alike).toMatchObject({ recipe: RECIPE, missing: 1 })
    await send('POST', `/fitur/playlist/${playlist.id}/alike`)
    await listWhere('the new item to fit', playlist.id, ({ alike, items }) =>
      items.every(({ fits }) => fits === true && alike === null),
    )
  })

  it('keeps what was made for it while it is on air, also of a video whose turn is not next', async () => {
    const list = program.db.selectFrom('playlists').select('id').where('name', '=', 'Campur')
    const { id } = await list.executeTakeFirstOrThrow()
    const removal = () =>
      call(program.url, 'DELETE', `/fitur/video/rendition/d.mp4?recipe=${encodeURIComponent(RECIPE)}`, {
        body: { apiKey },
      })
    await calls.start(apiKey, 'kept-alike', { source: `playlist:${id}`, looping: true })
    // At its start: the first and the second of five are what plays and what follows.
    expect(await removal()).toMatchObject({ status: 409, body: { message: RENDITION_TEXTS.listOnAir } })
    expect((await recipesOf())['d.mp4']).toEqual([`${RECIPE} ready`])
    await calls.stopAll(apiKey)
    await waitFor('it to be free', async () => (await removal()).status === 200)
  })

  it('is made within the plan and its room, or refused with words and nothing begun', async () => {
    const order = (recipe: string) =>
      call(program.url, 'POST', '/fitur/video/rendition/a.mp4', { body: { apiKey, recipe } })
    const before = await recipesOf()
    expect(await order('4096x2304@60:40000')).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
    const { storage } = (await call(program.url, 'GET', `/fitur/video?apiKey=${apiKey}`)).body
    const video = program.db.updateTable('videos').where('filename', '=', 'd.mp4')
    await video.set({ original_bytes: storage.limit }).execute()
    expect(await order('1920x1080@60:6000')).toMatchObject({ status: 507, body: { code: 'storage_full' } })
    expect(await recipesOf()).toEqual(before)
    await video.set({ original_bytes: 100_000 }).execute()
  })

  it('belongs to its owner, and bad recipes are refused with words', async () => {
    const other = (await signIn(program.url)).user.apiKey
    const { playlist } = await send('POST', '/fitur/playlist', { name: 'Milik saya', videos: ['a.mp4'] })
    const stranger = await call(program.url, 'POST', `/fitur/playlist/${playlist.id}/alike`, {
      body: { apiKey: other },
    })
    expect(stranger.status).toBe(404)
    const order = (body: object) =>
      call(program.url, 'POST', '/fitur/video/rendition/a.mp4', { body: { apiKey, ...body } })
    for (const body of [{}, { recipe: '1x1@30:1' }, { recipe: RECIPE, preset: 'twitch' }, { preset: 'nowhere' }]) {
      expect((await order(body)).status, JSON.stringify(body)).toBe(400)
    }
    const theirs = { body: { apiKey: other, recipe: RECIPE } }
    expect((await call(program.url, 'POST', '/fitur/video/rendition/a.mp4', theirs)).status).toBe(404)
  })
})
