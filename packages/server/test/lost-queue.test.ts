import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personWithVideo, processed, uploadVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const PATIENT = { timeoutMs: 120_000 }
const LONG = 600_000

let redis: RedisServer
let stage: StreamStage
let apiKey: string

beforeAll(async () => {
  redis = await startRedis()
  stage = await openStreamStage({ REDIS_URL: redis.url }, { queueLockMs: 6_000 })
  apiKey = (await personWithVideo(stage.program, stage.clip)).apiKey
})
afterAll(async () => {
  await stage.close()
  await redis.stop()
})

describe('a Redis', { timeout: LONG }, () => {
  it('that has lost everything: what was on air is on air again, once', async () => {
    const { rtmp, start, stop, active, ffmpegOf } = stage
    const { streamId } = (await start(apiKey, 'forgotten')).body
    const first = await rtmp.waitForPublisher('forgotten', { growing: true })
    const [before] = await ffmpegOf(streamId)
    await redis.forgetEverything()
    await rtmp.waitForPublisher('forgotten', { growing: true, otherThan: first.id, ...PATIENT })
    await waitFor('its state to be live', async () => (await active(apiKey))[0]?.state === 'live', PATIENT)
    const running = await ffmpegOf(streamId)
    expect(running).toHaveLength(1)
    expect(running[0]?.pid).not.toBe(before?.pid)
    expect(await active(apiKey)).toMatchObject([{ streamId }])
    await stop(apiKey, streamId)
  })

  it('that does not answer: a start and an upload are taken all the same, and done when it is back', async () => {
    const { program, rtmp, start, stop } = stage
    redis.pause()
    const asked = [start(apiKey, 'patient'), uploadVideo(program.url, apiKey, stage.clip, 'kedua.mp4')] as const
    const [started, uploaded] = await Promise.all(asked).finally(() => redis.resume())
    expect([started.status, uploaded.status]).toEqual([200, 200])
    await rtmp.waitForPublisher('patient', { growing: true, ...PATIENT })
    program.clock.move(120_000)
    expect(await processed(program.url, apiKey, 'kedua.mp4')).toMatchObject({ status: 'ready' })
    await stop(apiKey, started.body.streamId)
  })
})
