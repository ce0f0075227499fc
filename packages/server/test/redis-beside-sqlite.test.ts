import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personWithVideo, processed, uploadVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const LONG = 600_000
/** Far less than the watchdog allows, and longer than a lock in Redis of six seconds may be trusted. */
const STANDS_MS = 5_000

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

describe('[SAFE-07] one machine with SQLite that is given a Redis as well', { timeout: LONG }, () => {
  it('keeps what is on air where its event loop stands still, or Redis loses everything', async () => {
    const { rtmp, start, stop, active, ffmpegOf } = stage
    const { streamId } = (await start(apiKey, 'kept')).body
    const first = await rtmp.waitForPublisher('kept', { growing: true })
    const before = await ffmpegOf(streamId)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDS_MS)
    await redis.forgetEverything()
    await new Promise((resolve) => setTimeout(resolve, STANDS_MS))
    expect((await rtmp.waitForPublisher('kept', { growing: true })).id).toBe(first.id)
    expect((await ffmpegOf(streamId)).map(({ pid }) => pid)).toEqual(before.map(({ pid }) => pid))
    expect(await active(apiKey)).toMatchObject([{ streamId, state: 'live' }])
    await stop(apiKey, streamId)
  })

  it('starts and prepares while Redis does not answer', async () => {
    const { program, rtmp, start, stop } = stage
    redis.pause()
    try {
      const started = await start(apiKey, 'patient')
      expect([started.status, (await uploadVideo(program.url, apiKey, stage.clip, 'kedua.mp4')).status]).toEqual([
        200, 200,
      ])
      await rtmp.waitForPublisher('patient', { growing: true })
      expect(await processed(program.url, apiKey, 'kedua.mp4')).toMatchObject({ status: 'ready' })
      await stop(apiKey, started.body.streamId)
    } finally {
      redis.resume()
    }
  })
})
