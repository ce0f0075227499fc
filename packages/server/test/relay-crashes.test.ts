import { join } from 'node:path'
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
let folder: TempDir
let apiKey: string

beforeAll(async () => {
  folder = await tempDir('relay-crashes')
  await makeClip(join(folder.path, 'klip.mp4'), { seconds: 3 })
  rtmp = await startRtmpServer()
  source = await startHlsSource()
  siarin = await startSiarin({ env: { MAX_RELAY_ENCODES: '1' } })
  apiKey = (await personWithVideo(siarin, join(folder.path, 'klip.mp4'))).apiKey
}, 180_000)

afterAll(async () => {
  await siarin?.dispose()
  await source?.dispose()
  await rtmp?.stop()
  await folder?.remove()
})

const onlyFfmpeg = async () => {
  const found = await ffmpegsUnder(siarin.dataDir)
  expect(found).toHaveLength(1)
  return found[0]?.pid
}

/** The row says live from before. */
const takenOver = () =>
  waitFor('it to be taken over', async () => siarin.output().includes('took over a running ffmpeg'), PATIENT)

it('a relay goes on while the program is dead, is taken over, and can be stopped', { timeout: 240_000 }, async () => {
  const calls = streamCalls(siarin.url, rtmp)
  const { body } = await calls.start(apiKey, 'relay', { source: source.url, fallback: 'klip.mp4' })
  const first = await rtmp.waitForPublisher('relay', { growing: true, ...PATIENT })
  const live = async () => (await calls.active(apiKey))[0]?.state === 'live'
  await waitFor('it to be live', live, PATIENT)
  const pid = await onlyFfmpeg()
  await siarin.kill9()
  // More segments than it had read ahead: they come through a proxy that outlives the program.
  const asked = source.requests().length
  await waitFor('more to be read of the source', async () => source.requests().length > asked + 12, PATIENT)
  const meanwhile = await rtmp.waitForPublisher('relay', { growing: true, ...PATIENT })
  expect(meanwhile.id).toBe(first.id)

  await siarin.restart()
  await takenOver()
  await waitFor('it to be live', live, PATIENT)
  expect(await onlyFfmpeg()).toBe(pid)
  expect((await rtmp.publisher('relay'))?.id).toBe(first.id)

  // On its stand-in when the program dies: the next one knows it, and gives back to the source.
  source.stop()
  await waitFor('the stand-in', async () => (await calls.active(apiKey))[0]?.onFallback === true && live(), PATIENT)
  const standIn = await onlyFfmpeg()
  await siarin.kill9()
  await siarin.restart()
  await takenOver()
  await waitFor('it to be live', live, PATIENT)
  expect(await onlyFfmpeg()).toBe(standIn)
  expect((await calls.active(apiKey))[0]?.onFallback).toBe(true)
  const last = await rtmp.publisher('relay')
  source.resume()
  await waitFor('the source', async () => (await calls.active(apiKey))[0]?.onFallback === false && live(), PATIENT)
  await rtmp.waitForPublisher('relay', { growing: true, otherThan: last?.id ?? 0, ...PATIENT })

  await calls.stop(apiKey, body.streamId)
  await rtmp.waitForNoPublisher('relay', PATIENT)
  await waitFor('no ffmpeg to be left', async () => (await ffmpegsUnder(siarin.dataDir)).length === 0, PATIENT)
})

it('a relay that is re-encoded keeps its encoder over a restart, also while its source is away', {
  timeout: 240_000,
}, async () => {
  const calls = streamCalls(siarin.url, rtmp)
  const [odd, healthy] = await Promise.all([startHlsSource(ODD), startHlsSource(ODD)])
  try {
    const { body } = await calls.start(apiKey, 'mine', { source: odd.url })
    const stateOf = async (id: string) => (await calls.active(apiKey)).find(({ streamId }) => streamId === id)?.state
    await waitFor('it to be live', async () => (await stateOf(body.streamId)) === 'live', PATIENT)
    odd.stop()
    await waitFor('it to wait', async () => (await stateOf(body.streamId)) === 'waiting', PATIENT)
    await siarin.kill9()
    await siarin.restart()

    const other = await calls.start(apiKey, 'theirs', { source: healthy.url })
    await waitFor('the other to wait', async () => (await stateOf(other.body.streamId)) === 'waiting', PATIENT)
    odd.resume()
    await waitFor('the first to be back', async () => (await stateOf(body.streamId)) === 'live', PATIENT)
    await rtmp.waitForPublisher('mine', { growing: true, ...PATIENT })
    expect(await rtmp.publisher('theirs')).toBeNull()
    for (const { streamId } of await calls.active(apiKey)) await calls.stop(apiKey, streamId)
  } finally {
    await Promise.all([odd.dispose(), healthy.dispose()])
  }
})
