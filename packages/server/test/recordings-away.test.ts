import { readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it } from 'vitest'
import { allProcessed } from './support/all-processed.ts'
import { passes, readsOf } from './support/open-media.ts'
import { call, signIn, uploadVideo } from './support/program.ts'
import { savedRecording } from './support/saved-recording.ts'
import { clipsIn } from './support/sent-clips.ts'
import { streamCalls } from './support/streams.ts'

const SECONDS = { 'a.mp4': 12.4, 'b.mp4': 3.2, 'c.mp4': 2.8, 'd.mp4': 2.4 }

it('[REC-01] what a list and a swapped loop sent while the program was killed is in their recordings, and goes on', {
  timeout: 300_000,
}, async () => {
  const folder = await tempDir('recordings-away')
  const rtmp = await startRtmpServer({ record: true })
  const siarin = await startSiarin()
  const { apiKey } = (await signIn(siarin.url)).user
  const files = new Map(Object.keys(SECONDS).map((name) => [name, join(folder.path, name)]))
  for (const [index, [name, seconds]] of Object.entries(SECONDS).entries()) {
    await makeClip(files.get(name) ?? '', { seconds, picture: `gradients=seed=${500 + index}` })
    await uploadVideo(siarin.url, apiKey, files.get(name) ?? '', name)
  }
  await allProcessed(siarin.url, apiKey)
  const calls = streamCalls(siarin.url, rtmp)
  const listed = { apiKey, name: 'x', videos: ['b.mp4', 'c.mp4', 'd.mp4'] }
  const { playlist } = (await call(siarin.url, 'POST', '/fitur/playlist', { body: listed })).body
  const begin = async (key: string, source: string) => {
    const { streamId } = (await calls.start(apiKey, key, { source, record: true })).body
    await rtmp.waitForPublisher(key, { growing: true })
    const [ffmpeg] = (await ffmpegsUnder(siarin.dataDir)).filter(({ args }) =>
      args.some((arg) => arg.includes(streamId)),
    )
    const list = ffmpeg?.args.find((arg) => arg.endsWith('/list')) ?? ''
    return { streamId, pid: ffmpeg?.pid ?? 0, slot: join(dirname(list.replace('file:', '')), '0.mp4') }
  }
  const ofStream = async (id: string) => (await calls.active(apiKey)).find(({ streamId }) => streamId === id)
  const list = await begin('list', `playlist:${playlist.id}`)
  await waitFor('its second item', async () => (await ofStream(list.streamId))?.playlist?.filename === 'c.mp4')
  const loop = await begin('loop', 'a.mp4')
  await waitFor('it to be live', async () => (await ofStream(loop.streamId))?.state === 'live')
  const media = join(siarin.dataDir, 'media')
  const first = readsOf(loop.pid, media)
  const told = readlinkSync(loop.slot)
  await calls.swap(apiKey, loop.streamId, 'b.mp4')
  await waitFor('its slots to be pointed', async () => readlinkSync(loop.slot) !== told, { everyMs: 20 })
  await siarin.kill9()
  await passes(list.pid, 3, media)
  await waitFor('the other video', async () => ![undefined, first].includes(readsOf(loop.pid, media)), { everyMs: 50 })
  await siarin.restart()
  await waitFor('both to be taken over', async () =>
    [list, loop].every(({ pid }) => siarin.output().includes(`"ffmpegPid":${pid},"msg":"took over a running ffmpeg"`)),
  )
  expect.soft(await ofStream(loop.streamId)).toMatchObject({ source: 'b.mp4', nextSource: null })
  // It is not taken back either.
  await passes(list.pid, 2, media)
  for (const { streamId } of [list, loop]) await calls.stop(apiKey, streamId)
  for (const [key, { streamId }] of Object.entries({ list, loop })) {
    await rtmp.waitForNoPublisher(key)
    const received = (await rtmp.recordings()).filter((path) => path.includes(`${key}-`))
    expect(received).toHaveLength(1)
    const sent = await clipsIn(received[0] ?? '', files)
    const recorded = await clipsIn(await savedRecording({ url: siarin.url, apiKey, streamId }, folder.path), files)
    // At its very end it may just have begun another pass.
    expect.soft([sent, sent.slice(0, -1)], key).toContainEqual(recorded)
    if (key === 'loop') expect.soft([...new Set(sent)]).toEqual(['a.mp4', 'b.mp4'])
  }
  await siarin.dispose()
  await rtmp.stop()
  await folder.remove()
})
