import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlaylistNow } from '@siarin/contracts/playlists'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProcessed } from './support/all-processed.ts'
import { call, signIn, uploadVideo } from './support/program.ts'
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
    await makeClip(clip, { seconds: 6 + index })
    await uploadVideo(siarin.url, apiKey, clip, name)
  }
  await allProcessed(siarin.url, apiKey)
  const { body } = await call(siarin.url, 'POST', '/fitur/playlist', { body: { apiKey, name: 'x', videos: NAMES } })
  source = `playlist:${body.playlist.id}`
})
afterAll(async () => {
  await siarin.dispose()
  await rtmp.stop()
  await folder.remove()
})

const now = async (streamId: string): Promise<PlaylistNow | null> =>
  (await calls.active(apiKey)).find((stream) => stream.streamId === streamId)?.playlist ?? null
const plays = (streamId: string, filename: string): Promise<PlaylistNow> =>
  waitFor(`${filename} to play`, async () => {
    const found = await now(streamId)
    return found?.filename === filename && found
  })
async function goLive(key: string): Promise<string> {
  const { body } = await calls.start(apiKey, key, { source })
  await rtmp.waitForPublisher(key, { growing: true })
  return body.streamId
}

describe('[LIST-03] playlists on air when the program was killed with -9', { timeout: 300_000 }, () => {
  it('go on in their session and in their order; one whose ffmpeg went too, as by a power cut, in the same item', async ({
    onTestFinished,
  }) => {
    const [kept, cut] = [await goLive('list-kill'), await goLive('list-power')]
    const { id } = await rtmp.waitForPublisher('list-kill')
    const [, before] = await Promise.all([plays(kept, 'b.mp4'), plays(cut, 'b.mp4')])
    const running = await ffmpegsUnder(siarin.dataDir)
    await siarin.kill9()
    kill9(running.find(({ args }) => args.some((arg) => arg.includes(cut))))
    await rtmp.waitForNoPublisher('list-power')
    await siarin.restart()
    // A backup, an indexer or `ls -lL` follows the links too: that changes nothing.
    const list = running
      .find(({ args }) => args.some((arg) => arg.includes(kept)))
      ?.args.find((arg) => arg.endsWith('/list'))
    const slots = ['0.mp4', '1.mp4'].map((slot) => list?.replace('file:', '').replace(/list$/, slot) ?? '')
    const backup = setInterval(() => void Promise.allSettled(slots.map((slot) => readFile(slot))), 300)
    onTestFinished(() => clearInterval(backup))
    await waitFor('its ffmpeg to be taken over', async () => siarin.output().includes('took over a running ffmpeg'))
    // The program may have missed a join of the ffmpeg that ran on alone: what plays then is what was to follow.
    const taken = await now(kept)
    expect(['b.mp4', 'c.mp4']).toContain(taken?.filename)
    await rtmp.waitForPublisher('list-power', { growing: true })
    expect(await now(cut)).toMatchObject({ itemId: before.itemId, round: 0, next: { filename: 'c.mp4' } })
    const joined = await waitFor('the next join', async () => {
      const found = await now(kept)
      return found?.itemId === taken?.itemId ? null : found
    })
    expect(joined?.itemId).toBe(taken?.next?.itemId)
    expect(joined?.round).toBe(joined?.filename === 'a.mp4' ? 1 : 0)
    expect((await rtmp.waitForPublisher('list-kill', { growing: true })).id).toBe(id)
    await calls.stopAll(apiKey)
  })
})
