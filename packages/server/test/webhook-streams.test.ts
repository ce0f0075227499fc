import { WEBHOOK_EVENTS } from '@siarin/contracts/webhooks'
import { kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { startWebhookReceiver, type WebhookReceiver } from '@siarin/testkit/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'
import { assertSigned } from './support/webhooks.ts'

let stage: StreamStage
let receiver: WebhookReceiver

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  stage = await openStreamStage()
})
afterAll(async () => {
  await stage.close()
  await receiver.dispose()
})

describe('a real broadcast', () => {
  it('[HOOK-01] is told of from its start to its end, and keeps its key to itself', async () => {
    const { apiKey } = await personWithVideo(stage.program, stage.clip)
    const { body } = await call(stage.program.url, 'POST', '/fitur/webhook', {
      body: { url: receiver.urlOf('stream'), events: WEBHOOK_EVENTS },
      headers: { 'x-api-key': apiKey },
    })
    const { streamId } = (await stage.start(apiKey, 'kunci-webhook', { titleLive: 'Lofi 24 jam' })).body
    await waitFor('it to be live', async () => (await stage.active(apiKey))[0]?.state === 'live')
    const [ffmpeg] = await stage.ffmpegOf(streamId)
    kill9(ffmpeg)
    await waitFor('it to be back', async () => {
      const [now] = await stage.active(apiKey)
      return now?.state === 'live' && now.reconnects > 0
    })
    await stage.stopAll(apiKey)
    const got = await receiver.got('stream', 5)
    expect(got.map(({ type }) => type)).toEqual([
      ...['stream.started', 'stream.live', 'stream.interrupted', 'stream.recovered', 'stream.ended'],
    ])
    assertSigned(body.secret, got)
    for (const { data } of got) {
      expect(data).toMatchObject({ streamId, broadcastId: streamId, platform: 'lain', targetName: null })
      expect(data['title']).toEqual(expect.stringMatching(/\S/))
    }
    expect(got[2]?.data).toMatchObject({ reason: expect.stringMatching(/^[a-z-]+$/), planned: false })
    expect(got[3]?.data).toMatchObject({ offAirMs: expect.any(Number) })
    expect(got[4]?.data).toMatchObject({ reason: 'stopped', cause: null })
    expect(JSON.stringify(got)).not.toContain('kunci-webhook')
    expect(JSON.stringify(got)).not.toContain('rtmp:')
  })
})
