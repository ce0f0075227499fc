import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Recording, RecordingDetails } from '@siarin/contracts/recordings'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import { makeClip } from '@siarin/testkit/clips'
import { kill9 } from '@siarin/testkit/processes'
import { packetsOf } from '@siarin/testkit/recording'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { call, personWithVideo, processed, uploadVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const CLIPS = {
  'enam.mp4': { seconds: 6 },
  'lebar.mp4': { seconds: 3, width: 640, height: 360 },
} as const

let stage: StreamStage
beforeAll(async () => {
  stage = await openStreamStage({}, undefined, { record: true })
})
afterAll(() => stage.close())

/** What the ingest got of each session, in the order in which they came, in milliseconds. */
async function receivedMs(key: string): Promise<number[]> {
  const files = (await stage.rtmp.recordings()).filter((path) => path.includes(`${key}-`)).sort()
  return Promise.all(
    files.map(async (file) => {
      const { video } = await packetsOf(file)
      return (video.at(-1)?.decodedMs ?? 0) - (video[0]?.decodedMs ?? 0)
    }),
  )
}

async function recordedParts(apiKey: string) {
  const recording = await waitFor('the recording', async () => {
    const { body } = await call(stage.program.url, 'GET', `/fitur/recording?apiKey=${apiKey}`)
    return (body.recordings as Recording[]).find(({ state }) => state === 'ready')
  })
  const path = `/fitur/recording/${recording.recordingId}?apiKey=${apiKey}`
  return ((await call(stage.program.url, 'GET', path)).body.recording as RecordingDetails).parts
}

const sentMs = (key: string, ms: number): Promise<unknown> =>
  waitFor(`${ms} ms to be sent`, async () => ((await stage.rtmp.publisher(key))?.timeMs ?? 0) >= ms, { everyMs: 50 })

/** Takes all that a machine of two cores has until the test is over. */
function keepBusy(): void {
  const busy = Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }))
  onTestFinished(() => busy.forEach((child) => void child.kill('SIGKILL')))
}

describe.concurrent('[REC-01] what was sent last', { timeout: 120_000 }, () => {
  it('is in the recording, whether its ffmpeg was killed or its owner pressed Stop', async () => {
    const { apiKey } = await personWithVideo(stage.program, stage.clip)
    const { streamId } = (await stage.start(apiKey, 'ends', { record: true })).body
    const { id } = await stage.rtmp.waitForPublisher('ends', { growing: true })
    // Just before ffmpeg speaks again, which it does every second.
    await sentMs('ends', 4_800)
    kill9((await stage.ffmpegOf(streamId))[0])
    await stage.rtmp.waitForPublisher('ends', { growing: true, otherThan: id })
    await sentMs('ends', 4_800)
    await stage.stop(apiKey, streamId)
    await stage.rtmp.waitForNoPublisher('ends')
    const received = await receivedMs('ends')
    const parts = await recordedParts(apiKey)
    const missing = parts.map(({ seconds }, index) => Math.round((received[index] ?? 0) - seconds * 1000))
    // 500 ms after a kill, 300 ms after a Stop.
    process.stdout.write(`missing after a kill and after a Stop: ${missing} ms\n`)
    expect(missing).toHaveLength(2)
    expect(Math.abs(missing[0] ?? 9_999), `${missing}`).toBeLessThan(500)
    expect(Math.abs(missing[1] ?? 9_999), `${missing}`).toBeLessThan(300)
  })

  it('is the whole pass where an unlike video was asked for, and the recording says why there is a gap', async () => {
    const { apiKey } = await personWithVideo(stage.program, stage.clip)
    for (const [name, options] of Object.entries(CLIPS)) {
      await makeClip(join(stage.folder, name), options)
      await uploadVideo(stage.program.url, apiKey, join(stage.folder, name), name)
      expect(await processed(stage.program.url, apiKey, name)).toMatchObject({ status: 'ready' })
    }
    const { streamId } = (await stage.start(apiKey, 'unlike', { record: true, source: 'enam.mp4' })).body
    await stage.rtmp.waitForPublisher('unlike', { growing: true })
    await sentMs('unlike', 1_500)
    await stage.swap(apiKey, streamId, 'lebar.mp4')
    await waitFor('the larger picture', async () => (await stage.rtmp.publisher('unlike'))?.width === 640)
    await sentMs('unlike', 1_500)
    await stage.stop(apiKey, streamId)
    await stage.rtmp.waitForNoPublisher('unlike')
    const [first = 0] = await receivedMs('unlike')
    // To its end, and at most a moment of the next one: a tenth of a second on a machine with nothing else to do.
    expect(first).toBeGreaterThan(5_500)
    expect(first).toBeLessThan(8_500)
    const parts = await recordedParts(apiKey)
    expect(parts.map(({ interruption }) => interruption)).toEqual([null, STREAM_REASON_TEXTS['video-changed']])
    const events = await stage.events(apiKey, streamId)
    expect(events.filter(({ kind }) => kind === 'swapped')).toMatchObject([{ reason: 'lebar.mp4' }])
  })
})

/** By itself, since it slows down whatever runs beside it. */
describe('[REC-01] what was sent last on a busy machine', { timeout: 120_000 }, () => {
  it('is in the recording after a Stop', async () => {
    const { apiKey } = await personWithVideo(stage.program, stage.clip)
    const { streamId } = (await stage.start(apiKey, 'busy', { record: true })).body
    await stage.rtmp.waitForPublisher('busy', { growing: true })
    await sentMs('busy', 2_800)
    keepBusy()
    await sentMs('busy', 4_800)
    await stage.stop(apiKey, streamId)
    await stage.rtmp.waitForNoPublisher('busy')
    const [received = 0, ...more] = await receivedMs('busy')
    const parts = await recordedParts(apiKey)
    expect([parts.length, more]).toEqual([1, []])
    const missing = Math.round(received - (parts[0]?.seconds ?? 0) * 1000)
    process.stdout.write(`missing after a Stop on a busy machine: ${missing} ms\n`)
    expect(Math.abs(missing)).toBeLessThan(5 * 300)
  })
})
