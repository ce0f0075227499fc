import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { inspectLoops } from '@siarin/testkit/recording'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClips } from '../src/modules/broadcasts/sequence/clips.ts'
import { personWithVideo, processed, startProgram, type TestProgram, uploadVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

let folder: TempDir
let clips: Record<'usual' | 'twin' | 'finer' | 'coarse' | 'matroska', string>

/** The clip has 25 frames a second, which every one of these clocks can count exactly. */
const clock = (timescale: number) => ({ seconds: 3, extraArgs: ['-video_track_timescale', String(timescale)] })

beforeAll(async () => {
  folder = await tempDir('time-base')
  const names = ['usual.mp4', 'twin.mp4', 'finer.mp4', 'coarse.mp4', 'matroska.mkv']
  const [usual = '', twin = '', finer = '', coarse = '', matroska = ''] = names.map((name) => join(folder.path, name))
  clips = { usual, twin, finer, coarse, matroska }
  await makeClip(usual, clock(12_800))
  await makeClip(twin, clock(12_800))
  await makeClip(finer, clock(90_000))
  await makeClip(coarse, clock(1_000))
  await makeClip(matroska, { seconds: 3 })
})
afterAll(() => folder.remove())

describe('whether one video can follow another in the same session', () => {
  const { FFPROBE_PATH = '' } = process.env
  const { areAlike } = createClips({} as never, FFPROBE_PATH || 'ffprobe')
  const clipAt = (path: string) => ({ videoId: path, filename: path, path, durationMs: 3_000, bytes: 1, loop: null })

  it.each([
    ['it can where all is alike', 'usual', 'twin', true],
    ['not where the picture counts in another time base', 'usual', 'finer', false],
    // Matroska counts everything in milliseconds; the picture of the other one does so too.
    ['not where the sound alone counts in another time base', 'coarse', 'matroska', false],
  ] as const)('%s', async (_name, one, other, alike) => {
    expect(await areAlike(clipAt(clips[one]), clipAt(clips[other]))).toBe(alike)
  })

  it('not where one cannot be looked at', async () => {
    const missing = clipAt(join(folder.path, 'missing.mp4'))
    expect(await areAlike(clipAt(clips.usual), missing)).toBe(false)
    expect(await areAlike(missing, missing)).toBe(false)
  })
})

describe('a video whose picture counts in another time base', () => {
  let rtmp: RtmpServer
  let program: TestProgram

  beforeAll(async () => {
    rtmp = await startRtmpServer({ record: true })
    program = await startProgram()
  })
  afterAll(async () => {
    await program.close()
    await rtmp.stop()
  })

  it('is changed to on air with a new session, and no session jumps in time', async () => {
    const { start, stop, swap, active } = streamCalls(program.url, rtmp)
    const { apiKey } = await personWithVideo(program, clips.usual)
    await uploadVideo(program.url, apiKey, clips.finer, 'kedua.mp4')
    await processed(program.url, apiKey, 'kedua.mp4')

    const { body } = await start(apiKey, 'clock-key')
    const before = await rtmp.waitForPublisher('clock-key', { growing: true })
    await swap(apiKey, body.streamId, 'kedua.mp4')
    await waitFor('the second video to play', async () => (await active(apiKey))[0]?.source === 'kedua.mp4')
    await waitFor('a new session', async () => {
      const now = await rtmp.publisher('clock-key')
      return now !== null && now.id !== before.id
    })
    await rtmp.waitForPublisher('clock-key', { growing: true })
    await stop(apiKey, body.streamId)
    await rtmp.waitForNoPublisher('clock-key')

    const recordings = await rtmp.recordings()
    expect(recordings.length).toBeGreaterThan(1)
    for (const recording of recordings) {
      const { video, audio } = await inspectLoops(recording, clips.usual)
      expect(Math.max(video.largestMs, audio.largestMs)).toBeLessThan(1_000)
      expect(Math.min(video.smallestMs, audio.smallestMs)).toBeGreaterThanOrEqual(0)
    }
  })
})
