import { readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlaylistNow } from '@siarin/contracts/playlists'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSamePlace, nextPlace, orderOfRound, type Place } from '../src/modules/playlists/next-item.ts'
import { broadcastCalls } from './support/broadcasts.ts'
import { openPlaylistStage, type PlaylistStage } from './support/playlist-stage.ts'
import { call } from './support/program.ts'
import { clipAtStart, clipsIn, stepsIn } from './support/sent-clips.ts'

/** Their lengths are odd, their pictures differ. The second one's sound is longer than its picture: it is played behind a list. */
const CLIPS = {
  'a.mp4': { seconds: 2.04, picture: 'testsrc2' },
  'b.mp4': { seconds: 2.16, picture: 'smptebars', extraArgs: ['-bsf:a', 'null'] },
  'c.mp4': { seconds: 2.28, picture: 'rgbtestsrc' },
  // Long enough for each state to be seen, and for three streams to be told in time what follows, also on a busy machine.
  'satu.mp4': { seconds: 5.04, picture: 'gradients=seed=21' },
  'dua.mp4': { seconds: 5.16, picture: 'gradients=seed=22' },
  'tiga.mp4': { seconds: 5.28, picture: 'gradients=seed=23' },
  'empat.mp4': { seconds: 5.52, picture: 'gradients=seed=24' },
  'lain.mp4': { seconds: 2.2, picture: 'testsrc', width: 256, height: 144 },
  // Their names say what becomes of them.
  'hilang.mp4': { seconds: 2.04, picture: 'gradients=seed=11' },
  'seratus.mp4': { seconds: 2.04, picture: 'gradients=seed=12' },
  'terpotong.mp4': { seconds: 2.04, picture: 'gradients=seed=13' },
  'nol.mp4': { seconds: 2.04, picture: 'gradients=seed=14' },
  'gagal.mp4': { seconds: 2.04, picture: 'gradients=seed=15' },
} as const
const MAX_STEP_MS = 100

let stage: PlaylistStage
let rtmp: PlaylistStage['rtmp']
let program: PlaylistStage['program']
let apiKey: string
let calls: PlaylistStage['calls']
let send: PlaylistStage['send']

beforeAll(async () => {
  stage = await openPlaylistStage(CLIPS)
  ;({ rtmp, program, apiKey, calls, send } = stage)
})
afterAll(() => stage.close())

const newList = async (videos: readonly string[], more = {}) =>
  (await send('POST', '/fitur/playlist', { name: 'Daftar', videos, ...more })).playlist

/** A busy machine tells later what it has not found out in time. */
const fitsOf = (playlistId: string): Promise<boolean[]> =>
  waitFor('it to be known which items fit', async () => {
    const { body } = await call(program.url, 'GET', `/fitur/playlist/${playlistId}?apiKey=${apiKey}`)
    const fits: (boolean | null)[] = body.playlist.items.map((item: { fits: boolean | null }) => item.fits)
    return fits.every((each) => each !== null) && fits
  })

async function goLive(key: string, playlistId: string, more = {}): Promise<string> {
  const { body } = await calls.start(apiKey, key, { source: `playlist:${playlistId}`, ...more })
  await rtmp.waitForPublisher(key, { growing: true })
  return body.streamId
}

const nowOf = async (streamId: string): Promise<PlaylistNow | null> =>
  (await calls.active(apiKey)).find((stream) => stream.streamId === streamId)?.playlist ?? null

const isAt = (now: PlaylistNow | null, place: Place): boolean => now !== null && isSamePlace(now, place)

const plays = (streamId: string, filename: string, round?: number) =>
  waitFor(
    `${filename} to play`,
    async () => {
      const now = await nowOf(streamId)
      return now?.filename === filename && (round === undefined || now.round === round) ? now : null
    },
    { timeoutMs: 60_000, everyMs: 250 },
  )

async function recordingsOf(key: string, streamId: string): Promise<string[]> {
  await calls.stop(apiKey, streamId)
  await rtmp.waitForNoPublisher(key)
  return stage.recordingsOf(key)
}

describe.concurrent('a playlist on air', { timeout: 120_000 }, () => {
  it('[LIST-02] [LIST-03] takes edits and skips at the next join, and goes on in the same item after kill -9', async () => {
    const list = await newList(['satu.mp4', 'dua.mp4', 'c.mp4'])
    const streamId = await goLive('edited', list.id, { playlistItem: list.items[1].id })
    expect(await plays(streamId, 'dua.mp4')).toMatchObject({ index: 1, count: 3, next: { filename: 'c.mp4' } })
    const added = await send('POST', `/fitur/playlist/${list.id}/items`, { videos: ['tiga.mp4'], index: 2 })
    // Early: on a busy machine that takes seconds, and the clip to be killed in would be over.
    const before = await ffmpegsUnder(program.dataDir)
    expect(added.playlist.items.map(({ filename }: { filename: string }) => filename)).toEqual([
      ...['satu.mp4', 'dua.mp4', 'tiga.mp4', 'c.mp4'],
    ])
    await plays(streamId, 'tiga.mp4')
    // What plays is taken out of the list: it plays to its end, and the place is not lost.
    await send('DELETE', `/fitur/playlist/${list.id}/items/${added.playlist.items[2].id}`)
    expect(await nowOf(streamId)).toMatchObject({ filename: 'tiga.mp4', index: null, next: { filename: 'c.mp4' } })
    expect((await send('POST', '/fitur/steam/skip', { streamId })).success).toBe(true)
    expect(await nowOf(streamId)).toMatchObject({ filename: 'tiga.mp4', next: { filename: 'satu.mp4' } })
    await plays(streamId, 'satu.mp4', 1)
    kill9(before.find(({ args }) => args.some((arg) => arg.includes(streamId))))
    await waitFor('a new session', async () =>
      (await ffmpegsUnder(program.dataDir)).some(
        ({ pid, args }) => args.some((arg) => arg.includes(streamId)) && !before.some((one) => one.pid === pid),
      ),
    )
    await rtmp.waitForPublisher('edited', { growing: true })
    await plays(streamId, 'dua.mp4')
    const recordings = await recordingsOf('edited', streamId)
    expect(recordings).toHaveLength(2)
    const [killed = '', resumed = ''] = recordings
    const first = await clipsIn(killed, stage.files)
    // What the ingest got is the truth: on a busy machine the one behind may have begun before the kill.
    expect(first.slice(0, 3)).toEqual(['dua.mp4', 'tiga.mp4', 'satu.mp4'])
    expect(first.slice(2)).toContain(await clipAtStart(resumed, stage.files))
    for (const recording of recordings) {
      const { smallest, largest } = await stepsIn(recording)
      expect(smallest).toBeGreaterThanOrEqual(0)
      expect(largest).toBeLessThanOrEqual(MAX_STEP_MS)
    }
  })

  it('[LIST-01] passes over what is gone, damaged or not ready in one session, tells it once, and plays it when it is whole again', async () => {
    const list = await newList([
      ...['a.mp4', 'hilang.mp4', 'seratus.mp4', 'terpotong.mp4', 'nol.mp4', 'b.mp4', 'gagal.mp4'],
    ])
    const { db, dataDir } = program
    const fileOf = async (filename: string) => {
      const { key } = await db
        .selectFrom('renditions')
        .innerJoin('videos', 'videos.id', 'renditions.video_id')
        .select('renditions.key')
        .where('filename', '=', filename)
        .executeTakeFirstOrThrow()
      return join(dataDir, 'media', key)
    }
    const [gone, cut, zeroed] = [await fileOf('hilang.mp4'), await fileOf('terpotong.mp4'), await fileOf('nol.mp4')]
    const whole = await readFile(cut)
    await rename(gone, `${gone}.away`)
    await truncate(await fileOf('seratus.mp4'), 100)
    await truncate(cut, Math.floor(whole.length / 2))
    await writeFile(zeroed, Buffer.alloc((await readFile(zeroed)).length))

    const { body } = await calls.start(apiKey, 'passes', { source: `playlist:${list.id}` })
    const { streamId } = body
    // Only now: what is not ready keeps a broadcast from being started.
    const { id: failed } = await db
      .updateTable('videos')
      .set({ status: 'failed' })
      .where('filename', '=', 'gagal.mp4')
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('renditions').where('video_id', '=', failed).execute()
    await plays(streamId, 'b.mp4', 1)
    await rename(`${gone}.away`, gone)
    await writeFile(cut, whole)
    await plays(streamId, 'terpotong.mp4')
    const events = await calls.events(apiKey, streamId)
    expect(events.filter(({ kind }) => kind === 'passed-over').map(({ reason }) => reason)).toEqual([
      'gagal.mp4: videonya belum siap. Item ini diputar sendiri begitu videonya siap.',
      expect.stringMatching(/^hilang\.mp4 dan 3 video lain: /),
    ])
    expect(events.filter(({ kind }) => kind === 'lost' || kind === 'renewed')).toEqual([])
    const recordings = await recordingsOf('passes', streamId)
    expect(recordings).toHaveLength(1)
    const sent = await clipsIn(recordings[0] ?? '', stage.files)
    expect(new Set(sent.slice(0, sent.indexOf('hilang.mp4')))).toEqual(new Set(['a.mp4', 'b.mp4']))
    expect(new Set(sent)).toEqual(new Set(['a.mp4', 'b.mp4', 'hilang.mp4', 'terpotong.mp4']))
    const { smallest, largest } = await stepsIn(recordings[0] ?? '')
    expect(smallest).toBeGreaterThanOrEqual(0)
    expect(largest).toBeLessThanOrEqual(MAX_STEP_MS)
  })

  it('tells which items do not fit, reconnects for them at the join, and ends after one round', async () => {
    const list = await newList(['a.mp4', 'lain.mp4', 'c.mp4'])
    expect(await fitsOf(list.id)).toEqual([true, false, true])
    const streamId = await goLive('unlike', list.id, { looping: false })
    await waitFor('its end', async () => (await nowOf(streamId)) === null, { timeoutMs: 60_000, everyMs: 250 })
    const [ended] = (await calls.history(apiKey)).filter((stream) => stream.streamId === streamId)
    expect(ended).toMatchObject({ ended: 'finished', source: `playlist:${list.id}`, sourceName: 'Daftar' })
    const recordings = await stage.recordingsOf('unlike')
    expect(await Promise.all(recordings.map((recording) => clipsIn(recording, stage.files)))).toEqual([
      ['a.mp4'],
      ['lain.mp4'],
      ['c.mp4'],
    ])
  })

  it('[LIST-01] [LIST-02] is shuffled and skipped alike at every target, also at one that is added on air', async () => {
    const list = await newList(['satu.mp4', 'dua.mp4', 'tiga.mp4', 'empat.mp4'], { shuffle: true })
    const broadcasts = broadcastCalls(program.url, apiKey)
    const at = (key: string): string => `${rtmp.url}/${key}`
    const { body } = await broadcasts.start([at('alike-1'), at('alike-2')], { source: `playlist:${list.id}` })
    const [first, second]: string[] = body.streamIds
    for (const key of ['alike-1', 'alike-2']) await rtmp.waitForPublisher(key, { growing: true })
    expect((await send('POST', '/fitur/steam/skip', { streamId: second })).success).toBe(true)
    const rows = await program.db
      .selectFrom('streams')
      .select('playlist_skip')
      .where('broadcast_id', '=', body.broadcastId)
      .execute()
    const [skipped] = JSON.parse(rows[0]?.playlist_skip ?? '') as [Place]
    expect(rows.map((row) => row.playlist_skip)).toEqual([rows[0]?.playlist_skip, rows[0]?.playlist_skip])
    const items = list.items.map(({ id, index }: { id: string; index: number }) => ({ id, position: index }))
    const ordering = { shuffle: true, seed: body.broadcastId, startItemId: null }
    const to = nextPlace(skipped, { items, removed: [], ordering, looping: true, skips: [] }) as Place

    await waitFor('the item behind the skipped one', async () => isAt(await nowOf(first ?? ''), to), {
      timeoutMs: 180_000,
      everyMs: 250,
    })
    expect((await broadcasts.add(body.broadcastId, [at('alike-3')])).status).toBe(200)
    await rtmp.waitForPublisher('alike-3', { growing: true })
    await waitFor('the next round', async () => ((await nowOf(first ?? ''))?.round ?? 0) > to.round, {
      timeoutMs: 180_000,
      everyMs: 250,
    })
    await broadcasts.stop(body.broadcastId)
    for (const key of ['alike-1', 'alike-2', 'alike-3']) await rtmp.waitForNoPublisher(key)

    const places = Array.from({ length: to.round + 3 }, (_, round) =>
      orderOfRound(items, ordering, round).map(({ id: itemId }) => ({ itemId, round })),
    ).flat()
    const indexOf = (place: Place): number => places.findIndex((each) => isSamePlace(each, place))
    const wanted = places
      .filter((place) => !isSamePlace(place, skipped))
      .map(({ itemId }) => list.items.find((item: { id: string }) => item.id === itemId).filename)
    const sent = async (key: string) => {
      const [recording = ''] = await stage.recordingsOf(key)
      return clipsIn(recording, stage.files)
    }
    for (const key of ['alike-1', 'alike-2']) {
      const clips = await sent(key)
      expect(clips.length).toBeGreaterThan(2)
      expect([key, clips]).toEqual([key, wanted.slice(0, clips.length)])
    }
    // It begins in the midst of the item that the others play, and goes on as they do.
    const added = await sent('alike-3')
    const joinedAt = wanted.indexOf(added[0] ?? '', indexOf(to) - 1)
    expect(joinedAt).toBeLessThanOrEqual(indexOf(to) + 1)
    expect(added).toEqual(wanted.slice(joinedAt, joinedAt + added.length))
  })
})
