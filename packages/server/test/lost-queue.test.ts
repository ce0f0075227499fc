import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personWithVideo, processed, uploadVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const PATIENT = { timeoutMs: 60_000 }
const LONG = 180_000

let redis: RedisServer
let stage: StreamStage

beforeAll(async () => {
  redis = await startRedis()
  stage = await openStreamStage({ REDIS_URL: redis.url })
})
afterAll(async () => {
  await stage.close()
  await redis.stop()
})

describe('a Redis', { timeout: LONG }, () => {
  it('that has lost everything: what was on air is on air again, once', async () => {
    const { program, rtmp, start, stop, active, ffmpegOf } = stage
    const { apiKey } = await personWithVideo(program.url, stage.clip)
    const { streamId } = (await start(apiKey, 'forgotten')).body
    await rtmp.waitForPublisher('forgotten', { growing: true })
    const [before] = await ffmpegOf(streamId)
    await redis.forgetEverything()
    await waitFor(
      'another ffmpeg',
      async () => (await ffmpegOf(streamId)).some(({ pid }) => pid !== before?.pid),
      PATIENT,
    )
    await rtmp.waitForPublisher('forgotten', { growing: true, ...PATIENT })
    expect(await ffmpegOf(streamId)).toHaveLength(1)
    expect(await active(apiKey)).toMatchObject([{ streamId, state: 'live' }])
    await stop(apiKey, streamId)
  })

  it('that does not answer: a start and an upload are taken all the same, and done when it is back', async () => {
    const { program, rtmp, start, stop } = stage
    const { apiKey } = await personWithVideo(program.url, stage.clip)
    redis.pause()
    let streamId: string
    try {
      const started = await start(apiKey, 'patient')
      expect(started.status).toBe(200)
      streamId = started.body.streamId
      expect((await uploadVideo(program.url, apiKey, stage.clip, 'kedua.mp4')).status).toBe(200)
    } finally {
      redis.resume()
    }
    await rtmp.waitForPublisher('patient', { growing: true, ...PATIENT })
    program.clock.move(120_000)
    expect(await processed(program.url, apiKey, 'kedua.mp4')).toMatchObject({ status: 'ready' })
    await stop(apiKey, streamId)
  })
})
