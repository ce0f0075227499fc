import { join } from 'node:path'
import type { ActiveStream } from '@siarin/contracts/streams'
import { makeClip } from '@siarin/testkit/clips'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { personWithVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const PATIENT = { timeoutMs: 120_000 }
/** No platform takes these. */
const ODD = { videoCodec: 'mpeg2video', audioCodec: 'mp2' }

let siarin: Siarin
let rtmp: RtmpServer
let source: HlsSource
let odd: HlsSource
let healthy: HlsSource
let folder: TempDir
let apiKey: string

beforeAll(async () => {
  folder = await tempDir('relay-crashes')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  ;[rtmp, source, odd, healthy, siarin] = await Promise.all([
    ...([startRtmpServer(), startHlsSource(), startHlsSource(ODD), startHlsSource(ODD)] as const),
    startSiarin({ env: { MAX_RELAY_ENCODES: '1' } }),
  ])
  apiKey = (await personWithVideo(siarin, clip)).apiKey
}, 180_000)

afterAll(async () => {
  await siarin?.dispose()
  await Promise.all([source?.dispose(), odd?.dispose(), healthy?.dispose()])
  await rtmp?.stop()
  await folder?.remove()
})

const onlyFfmpegOf = async (key: string) => {
  const found = (await ffmpegsUnder(siarin.dataDir)).filter(({ args }) => args.at(-1)?.endsWith(`/${key}`))
  expect(found).toHaveLength(1)
  return found[0]?.pid
}

/** The row says live from before. */
const takenOver = () =>
  waitFor('it to be taken over', async () => siarin.output().includes('took over a running ffmpeg'), PATIENT)

// Two relays of one program: one that is copied and has a stand-in, and one that is re-encoded.
it('a relay goes on while the program is dead and is taken over; a re-encoded one keeps its encoder, also while its source is away', {
  timeout: 240_000,
}, async () => {
  const calls = streamCalls(siarin.url, rtmp)
  const begin = async (key: string, more: object) => (await calls.start(apiKey, key, more)).body.streamId as string
  const streamOf = async (id: string) => (await calls.active(apiKey)).find(({ streamId }) => streamId === id)
  const reaches = (id: string, wanted: Partial<ActiveStream>) =>
    waitFor(
      `a stream that is ${JSON.stringify(wanted)}`,
      async () => {
        const stream = await streamOf(id)
        return stream && Object.entries(wanted).every(([key, value]) => stream[key as keyof ActiveStream] === value)
      },
      PATIENT,
    )
  const [relay, mine] = [
    await begin('relay', { source: source.url, fallback: 'klip.mp4' }),
    await begin('mine', { source: odd.url }),
  ]
  const first = await rtmp.waitForPublisher('relay', { growing: true, ...PATIENT })
  await Promise.all([relay, mine].map((id) => reaches(id, { state: 'live' })))
  const pid = await onlyFfmpegOf('relay')
  await siarin.kill9()
  // More segments than it had read ahead: they come through a proxy that outlives the program.
  const asked = source.requests().length
  await waitFor('more to be read of the source', async () => source.requests().length > asked + 12, PATIENT)
  const meanwhile = await rtmp.waitForPublisher('relay', { growing: true, ...PATIENT })
  expect(meanwhile.id).toBe(first.id)

  await siarin.restart()
  await takenOver()
  await reaches(relay, { state: 'live' })
  expect(await onlyFfmpegOf('relay')).toBe(pid)
  expect((await rtmp.publisher('relay'))?.id).toBe(first.id)

  // On its stand-in when the program dies: the next one knows it, and gives back to the source.
  source.stop()
  odd.stop()
  await Promise.all([reaches(relay, { onFallback: true, state: 'live' }), reaches(mine, { state: 'waiting' })])
  const standIn = await onlyFfmpegOf('relay')
  await siarin.kill9()
  await siarin.restart()
  await takenOver()
  await reaches(relay, { state: 'live' })
  expect(await onlyFfmpegOf('relay')).toBe(standIn)
  expect((await streamOf(relay))?.onFallback).toBe(true)
  const theirs = await begin('theirs', { source: healthy.url })
  await reaches(theirs, { state: 'waiting' })
  const last = await rtmp.publisher('relay')
  source.resume()
  odd.resume()
  await Promise.all([reaches(relay, { onFallback: false, state: 'live' }), reaches(mine, { state: 'live' })])
  await rtmp.waitForPublisher('relay', { growing: true, otherThan: last?.id ?? 0, ...PATIENT })
  await rtmp.waitForPublisher('mine', { growing: true, ...PATIENT })
  expect(await rtmp.publisher('theirs')).toBeNull()

  for (const { streamId } of await calls.active(apiKey)) await calls.stop(apiKey, streamId)
  for (const key of ['relay', 'mine']) await rtmp.waitForNoPublisher(key, PATIENT)
  await waitFor('no ffmpeg to be left', async () => (await ffmpegsUnder(siarin.dataDir)).length === 0, PATIENT)
})
