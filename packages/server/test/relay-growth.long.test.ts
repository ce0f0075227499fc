import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { type LoopbackHttp, serveOnLoopback } from '@siarin/testkit/loopback-http'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { personWithVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const PATIENT = { timeoutMs: 90_000 }

let stage: StreamStage
let small: HlsSource
let large: HlsSource
let front: LoopbackHttp
let behind: HlsSource

/** Two encoders that began together, and one address that changes from the one to the other without a break. */
beforeAll(async () => {
  stage = await openStreamStage({ MAX_VIDEO_HEIGHT: '180', MAX_RELAY_ENCODES: '1' }, { growingSourceMs: 2_000 })
  const sources = await Promise.all([startHlsSource(), startHlsSource({ width: 640, height: 360 })])
  ;[small, large] = sources
  behind = small
  front = await serveOnLoopback(async ({ url = '' }, response) => {
    const answer = await fetch(new URL(url, behind.url))
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
}, 120_000)

afterAll(async () => {
  await stage?.close()
  await front?.close()
  await small?.dispose()
  await large?.dispose()
})

it('an online source that grows past the plan while it is on air is made smaller as soon as an encoder is free', {
  timeout: 240_000,
}, async () => {
  const { apiKey } = await personWithVideo(stage.program, stage.clip)
  const { body: other } = await stage.start(apiKey, 'penuh', { source: large.url })
  await waitFor('the only encoder to be taken', async () => (await stage.active(apiKey))[0]?.note !== null, PATIENT)
  const { body } = await stage.start(apiKey, 'tumbuh', { source: `${front.url}/live.m3u8` })
  const argsNow = async () => (await stage.ffmpegOf(body.streamId)).flatMap(({ args }) => args).join(' ')
  const state = async () => (await stage.active(apiKey)).find(({ streamId }) => streamId === body.streamId)
  await waitFor('it to be live', async () => (await state())?.state === 'live', PATIENT)
  expect(await argsNow()).toContain('-c:v copy')
  const { id } = await stage.rtmp.waitForPublisher('tumbuh', { growing: true })
  behind = large
  await waitFor('it to be seen', async () => stage.program.logged().includes('no encoder is free'), PATIENT)
  expect(await state()).toMatchObject({ state: 'live', restarts: 0 })
  expect(await stage.rtmp.waitForPublisher('tumbuh', { growing: true })).toMatchObject({ id })
  await stage.stop(apiKey, other.streamId)
  await waitFor('its picture to be made anew', async () => (await argsNow()).includes('scale=320:180'), PATIENT)
  const live = async () => {
    const now = await state()
    return now?.state === 'live' && now.note === ONLINE_TEXTS.encoded
  }
  await waitFor('it to be live again', live, PATIENT)
  expect(await stage.rtmp.publisher('tumbuh')).toMatchObject({ videoCodec: 'H264' })
})
