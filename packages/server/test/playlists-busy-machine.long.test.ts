import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allProcessed } from './support/all-processed.ts'
import { call, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'
import { clipsIn } from './support/sent-clips.ts'
import { streamCalls } from './support/streams.ts'

const NAMES = ['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4']
const SECONDS = 2.6
/** A new video is asked for two facts, one after the other: together that takes longer than an item lasts. */
const SLOW_SECONDS = 1.5

let folder: TempDir
let rtmp: RtmpServer
let program: TestProgram

beforeAll(async () => {
  folder = await tempDir('busy-machine')
  rtmp = await startRtmpServer({ record: true })
  const ffprobe = join(folder.path, 'ffprobe.sh')
  const { FFPROBE_PATH = '' } = process.env
  const script = `#!/bin/sh
case "$*" in
*format=start_time,duration\\ -of*|*extradata_hash*) sleep ${SLOW_SECONDS};;
esac
exec '${FFPROBE_PATH || 'ffprobe'}' "$@"
`
  await writeFile(ffprobe, script, { mode: 0o755 })
  program = await startProgram({ FFPROBE_PATH: ffprobe })
})
afterAll(async () => {
  await program.close()
  await rtmp.stop()
  await folder.remove()
})

it('[LIST-01] a playlist keeps its order from its first item on, however long it takes to look at its videos', {
  timeout: 120_000,
}, async () => {
  const calls = streamCalls(program.url, rtmp)
  const { apiKey } = (await signIn(program.url)).user
  const files = new Map(NAMES.map((name) => [name, join(folder.path, name)]))
  for (const [index, [name, file]] of [...files].entries()) {
    await makeClip(file, { seconds: SECONDS, extraArgs: ['-vf', `hue=h=${90 * index}`] })
    await uploadVideo(program.url, apiKey, file, name)
  }
  await allProcessed(program.url, apiKey)
  const { body: made } = await call(program.url, 'POST', '/fitur/playlist', {
    body: { apiKey, name: 'x', videos: NAMES },
  })
  const { body } = await calls.start(apiKey, 'busy', { source: `playlist:${made.playlist.id}` })
  await waitFor('the third item', async () => (await calls.active(apiKey))[0]?.playlist?.index === 2)
  await rtmp.waitForPublisher('busy', { growing: true })
  await calls.stop(apiKey, body.streamId)
  await rtmp.waitForNoPublisher('busy')
  const [recording = ''] = await rtmp.recordings()
  const sent = await clipsIn(recording, files)
  expect(sent.slice(0, 3)).toEqual(['a.mp4', 'b.mp4', 'c.mp4'])
})
