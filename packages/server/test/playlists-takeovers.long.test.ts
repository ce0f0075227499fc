import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it } from 'vitest'
import { allProcessed } from './support/all-processed.ts'
import { passes } from './support/open-media.ts'
import { call, signIn, uploadVideo } from './support/program.ts'
import { clipsIn } from './support/sent-clips.ts'
import { streamCalls } from './support/streams.ts'

const NAMES = ['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4', 'e.mp4']
const KILLS = 3

it('[LIST-03] a list of short items goes on to every one of them after the program was killed with -9, again and again', {
  timeout: 400_000,
}, async () => {
  const folder = await tempDir('playlist-takeovers')
  const rtmp = await startRtmpServer({ record: true })
  const siarin = await startSiarin()
  const { apiKey } = (await signIn(siarin.url)).user
  const files = new Map(NAMES.map((name) => [name, join(folder.path, name)]))
  for (const [index, [name, file]] of [...files].entries()) {
    await makeClip(file, { seconds: 2.2 + index * 0.4, picture: `gradients=seed=${700 + index}` })
    await uploadVideo(siarin.url, apiKey, file, name)
  }
  await allProcessed(siarin.url, apiKey)
  const calls = streamCalls(siarin.url, rtmp)
  const { body } = await call(siarin.url, 'POST', '/fitur/playlist', { body: { apiKey, name: 'x', videos: NAMES } })
  const { streamId } = (await calls.start(apiKey, 'short', { source: `playlist:${body.playlist.id}` })).body
  await rtmp.waitForPublisher('short', { growing: true })
  const [sender] = (await ffmpegsUnder(siarin.dataDir)).filter(({ args }) => args.some((arg) => arg.includes(streamId)))
  const filename = async () =>
    (await calls.active(apiKey)).find((stream) => stream.streamId === streamId)?.playlist?.filename ?? null
  await waitFor('its third item', async () => (await filename()) === 'c.mp4')

  for (let kill = 0; kill < KILLS; kill++) {
    await siarin.kill9()
    // One pass more each time, so that it is taken over in either slot.
    await passes(sender?.pid ?? 0, 2 + kill, join(siarin.dataDir, 'media'))
    await siarin.restart()
    await waitFor('its ffmpeg to be taken over', async () => siarin.output().includes('took over a running ffmpeg'))
  }
  for (let round = 0; round < 2; round++) {
    const seen = new Set<string | null>()
    await waitFor('every item', async () => seen.add(await filename()).size >= NAMES.length && !seen.has(null), {
      timeoutMs: 90_000,
    })
  }
  await calls.stop(apiKey, streamId)
  await rtmp.waitForNoPublisher('short')
  const recordings = (await rtmp.recordings()).filter((path) => path.includes('short-'))
  expect(recordings).toHaveLength(1)
  const sent = await clipsIn(recordings[0] ?? '', files)
  expect(new Set(sent.slice(-2 * NAMES.length)), sent.join(' ')).toEqual(new Set(NAMES))
  await siarin.dispose()
  await rtmp.stop()
  await folder.remove()
})
