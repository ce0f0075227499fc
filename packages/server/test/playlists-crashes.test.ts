import { join } from 'node:path'
import type { PlaylistNow } from '@siarin/contracts/playlists'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, processed, signIn, uploadVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const NAMES = ['a.mp4', 'b.mp4', 'c.mp4']

let folder: TempDir
let rtmp: RtmpServer
let siarin: Siarin
let calls: ReturnType<typeof streamCalls>
let apiKey: string
let source: string

beforeAll(async () => {
  folder = await tempDir('playlist-crashes')
  rtmp = await startRtmpServer()
  siarin = await startSiarin()
  calls = streamCalls(siarin.url, rtmp)
  apiKey = (await signIn(siarin.url)).user.apiKey
  for (const [index, name] of NAMES.entries()) {
    const clip = join(folder.path, name)
    // Long enough for a busy machine to see each of them.
    await makeClip(clip, { seconds: 8 + index })
    await uploadVideo(siarin.url, apiKey, clip, name)
    await processed(siarin.url, apiKey, name)
  }
  const { body } = await call(siarin.url, 'POST', '/fitur/playlist', { body: { apiKey, name: 'x', videos: NAMES } })
  source = `playlist:${body.playlist.id}`
})
afterAll(async () => {
  await siarin.dispose()
  await rtmp.stop()
  await folder.remove()
})

const now = async (): Promise<PlaylistNow | null> => (await calls.active(apiKey))[0]?.playlist ?? null
const plays = (filename: string) =>
  waitFor(`${filename} to play`, async () => ((await now())?.filename === filename ? now() : null))

describe('[LIST-03] a playlist on air', { timeout: 300_000 }, () => {
  it('goes on in its session and in its order when the program was killed with -9', async () => {
    const { body } = await calls.start(apiKey, 'list-kill', { source })
    const { id } = await rtmp.waitForPublisher('list-kill', { growing: true })
    await plays('b.mp4')
    await siarin.kill9()
    await siarin.restart()
    await waitFor('its ffmpeg to be taken over', async () => siarin.output().includes('took over a running ffmpeg'))
    // Of what ran on alone, the program may have missed a join: what plays then is what was to follow.
    const taken = await now()
    expect(['b.mp4', 'c.mp4']).toContain(taken?.filename)
    const joined = await waitFor('the next join', async () => {
      const found = await now()
      return found?.itemId === taken?.itemId ? null : found
    })
    expect(joined?.itemId).toBe(taken?.next?.itemId)
    expect(joined?.round).toBe(joined?.filename === 'a.mp4' ? 1 : 0)
    expect((await rtmp.waitForPublisher('list-kill', { growing: true })).id).toBe(id)
    await calls.stop(apiKey, body.streamId)
    await rtmp.waitForNoPublisher('list-kill')
  })

  it('goes on in the same item after a power cut', async () => {
    const { body } = await calls.start(apiKey, 'list-power', { source })
    await rtmp.waitForPublisher('list-power', { growing: true })
    const before = await plays('b.mp4')
    const running = await ffmpegsUnder(siarin.dataDir)
    await siarin.kill9()
    for (const ffmpeg of running) kill9(ffmpeg)
    await rtmp.waitForNoPublisher('list-power')
    await siarin.restart()
    await rtmp.waitForPublisher('list-power', { growing: true })
    expect(await now()).toMatchObject({ itemId: before?.itemId, round: 0, next: { filename: 'c.mp4' } })
    await calls.stop(apiKey, body.streamId)
  })
})
