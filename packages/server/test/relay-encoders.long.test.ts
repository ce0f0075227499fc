import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { personWithVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const PATIENT = { timeoutMs: 90_000 }

let stage: StreamStage
let large: HlsSource

beforeAll(async () => {
  stage = await openStreamStage({ MAX_VIDEO_HEIGHT: '180', MAX_RELAY_ENCODES: '2' }, { growingSourceMs: 2_000 })
  large = await startHlsSource({ width: 640, height: 360 })
}, 120_000)

afterAll(async () => {
  await stage?.close()
  await large?.dispose()
})

it('who has all encoders gives one up for somebody who has none, and gets it back', { timeout: 240_000 }, async () => {
  const [many, one] = await Promise.all([
    personWithVideo(stage.program, stage.clip),
    personWithVideo(stage.program, stage.clip),
  ])
  const isEncoded = ({ state, note }: { state: string; note: string | null }) =>
    state === 'live' && note === ONLINE_TEXTS.encoded
  const encoded = async ({ apiKey }: { apiKey: string }) => (await stage.active(apiKey)).filter(isEncoded).length
  for (const key of ['banyak-1', 'banyak-2']) await stage.start(many.apiKey, key, { source: large.url })
  await waitFor('both encoders to be at work', async () => (await encoded(many)) === 2, PATIENT)
  const { body } = await stage.start(one.apiKey, 'satu', { source: large.url })
  await waitFor('the other to have one', async () => (await encoded(one)) === 1, PATIENT)
  expect(await encoded(many)).toBe(1)
  const waits = (await stage.active(many.apiKey)).find((each) => !isEncoded(each))
  // Also while it is being tried again.
  expect(waits?.reason).toBe(STREAM_REASON_TEXTS['out-of-capacity'])
  await stage.stop(one.apiKey, body.streamId)
  await waitFor('it to have it back', async () => (await encoded(many)) === 2, PATIENT)
})
