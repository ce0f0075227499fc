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
  siarin = await startSiarin()
  apiKey = (await personWithVideo(siarin.url, join(folder.path, 'klip.mp4'))).apiKey
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
