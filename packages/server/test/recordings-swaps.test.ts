import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recording } from '@siarin/contracts/recordings'
import { makeClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, personWithVideo, processed, uploadVideo } from './support/program.ts'
import { clipsIn } from './support/sent-clips.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

let stage: StreamStage
beforeAll(async () => {
  stage = await openStreamStage({}, undefined, { record: true })
})
afterAll(() => stage.close())

it('[REC-01] a loop that is swapped to a like video is recorded pass by pass, as the ingest got it', async () => {
  const { apiKey } = await personWithVideo(stage.program, stage.clip)
  const files = new Map(['a.mp4', 'b.mp4'].map((name) => [name, join(stage.folder, name)]))
  for (const [index, [name, file]] of [...files].entries()) {
    await makeClip(file, { seconds: 5.2 - index * 0.8, picture: `gradients=seed=${400 + index}` })
    await uploadVideo(stage.program.url, apiKey, file, name)
    expect(await processed(stage.program.url, apiKey, name)).toMatchObject({ status: 'ready' })
  }
  const { streamId } = (await stage.start(apiKey, 'swapped', { record: true, source: 'a.mp4' })).body
  await stage.rtmp.waitForPublisher('swapped', { growing: true })
  await stage.swap(apiKey, streamId, 'b.mp4')
  await waitFor('b on air', async () => (await stage.active(apiKey))[0]?.source === 'b.mp4')
  // Into its second pass.
  const { timeMs: joinedMs = 0 } = (await stage.rtmp.publisher('swapped')) ?? {}
  await waitFor(
    'its second pass',
    async () => ((await stage.rtmp.publisher('swapped'))?.timeMs ?? 0) > joinedMs + 5_900,
  )
  await stage.stop(apiKey, streamId)
  await stage.rtmp.waitForNoPublisher('swapped')

  const recording = await waitFor('the recording', async () => {
    const { body } = await call(stage.program.url, 'GET', `/fitur/recording?apiKey=${apiKey}`)
    return (body.recordings as Recording[]).find(({ state }) => state === 'ready')
  })
  const response = await fetch(`${stage.program.url}/fitur/recording/${recording.recordingId}/file?apiKey=${apiKey}`)
  const recorded = join(stage.folder, 'recorded.mp4')
  await writeFile(recorded, Buffer.from(await response.arrayBuffer()))
  const [received = ''] = (await stage.rtmp.recordings()).filter((path) => path.includes('swapped-'))
  const sent = await clipsIn(received, files)
  expect(sent).toEqual(expect.arrayContaining(['a.mp4', 'b.mp4']))
  expect(await clipsIn(recorded, files)).toEqual(sent)
})
