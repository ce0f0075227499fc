import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo } from './support/program.ts'
import { type RawCall, rawCall, requestHead } from './support/raw-http.ts'
import { streamCalls } from './support/streams.ts'

const FILES = 256
/** Others of loopback's addresses: the honest caller comes from 127.0.0.1. */
const STRANGERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6']
const EACH = 60
/** An ffmpeg that died is back within two seconds; asserted at five times that. */
const BACK_MS = 5 * 2_000
/** The longest that an answer may take, likewise. */
const ANSWER_MS = 5 * 3_000

let folder: TempDir
let rtmp: RtmpServer
let siarin: Siarin
const open: RawCall[] = []

beforeAll(async () => {
  folder = await tempDir('few-files')
  rtmp = await startRtmpServer()
  siarin = await startSiarin({ env: { TRUST_PROXY: 'false' }, shell: `ulimit -n ${FILES}` })
})
afterAll(async () => {
  for (const each of open) each.end()
  await siarin.dispose()
  await rtmp.stop()
  await folder.remove()
})

/** Half of them say nothing, half send a body that does not come. */
async function crowd(): Promise<void> {
  const slow = requestHead('POST /auth/login', { 'content-type': 'application/json', 'content-length': 1_000 })
  const calls = STRANGERS.flatMap((from) =>
    Array.from({ length: EACH }, (_, index) => rawCall(siarin.url, index % 2 ? slow : '', from)),
  )
  open.push(...(await Promise.all(calls)))
}

const openFiles = async () => (await readdir(`/proc/${siarin.pid}/fd`)).length

describe('[SAFE-01] a program with few files and many strangers', { timeout: 600_000 }, () => {
  it('answers the honest caller, and brings back an ffmpeg that dies', async () => {
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 3 })
    const { apiKey } = await personWithVideo(siarin.url, clip)
    const calls = streamCalls(siarin.url, rtmp)
    await calls.start(apiKey, 'files-key')
    await rtmp.waitForPublisher('files-key', { growing: true })
    await waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
    const [before] = await ffmpegsUnder(siarin.dataDir)

    await crowd()
    expect(await openFiles()).toBeLessThan(FILES - 50)
    kill9(before)
    const begun = performance.now()
    await waitFor('another ffmpeg', async () => {
      const [now] = await ffmpegsUnder(siarin.dataDir)
      return now && now.pid !== before?.pid
    })
    await rtmp.waitForPublisher('files-key', { growing: true })
    const backMs = performance.now() - begun

    // Again and again, while the strangers come back each time.
    const waits: number[] = []
    for (let round = 0; round < 5; round++) {
      await crowd()
      const asked = performance.now()
      const answer = await call(siarin.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`, {
        headers: { connection: 'close' },
      })
      expect(answer.status).toBe(200)
      waits.push(performance.now() - asked)
    }
    process.stdout.write(`back on air after ${Math.round(backMs)} ms; answers after ${waits.map(Math.round)} ms\n`)
    expect(backMs).toBeLessThan(BACK_MS)
    expect(Math.max(...waits)).toBeLessThan(ANSWER_MS)
    expect(siarin.output()).not.toContain('EMFILE')
    await calls.stopAll(apiKey)
  })

  it('gives one address a part of the connections: its newest, and none of those of others', async () => {
    for (const each of open.splice(0)) each.end()
    const honest = await rawCall(siarin.url, '', '127.0.0.7')
    open.push(honest)
    for (let round = 0; round < 3; round++) {
      open.push(...(await Promise.all(Array.from({ length: EACH }, () => rawCall(siarin.url, '', '127.0.0.2')))))
    }
    await waitFor('the older ones to be cut', async () => open.filter((each) => each.isClosed()).length >= 2 * EACH)
    expect(honest.isClosed()).toBe(false)
    honest.send(requestHead('GET /healthz', { connection: 'close' }))
    await waitFor('its answer', async () => honest.isClosed())
    expect(honest.answer()).toMatch(/^HTTP\/1\.1 200 /)
  })
})
