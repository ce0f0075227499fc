import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const LIMIT_SECONDS = 3
const STAND_STILL = join(import.meta.dirname, 'support', 'stand-still.ts')

let folder: TempDir
let rtmp: RtmpServer
let siarin: Siarin

beforeAll(async () => {
  folder = await tempDir('loop-watchdog')
  rtmp = await startRtmpServer()
  siarin = await startSiarin({
    env: { WATCHDOG_SECONDS: String(LIMIT_SECONDS) },
    flags: ['--import', STAND_STILL],
  })
})
afterAll(async () => {
  await siarin.dispose()
  await rtmp.stop()
  await folder.remove()
})

describe('[SAFE-01] a program whose event loop stands still', { timeout: 600_000 }, () => {
  it('is not one that was stopped for longer than that, and goes on', async () => {
    const { pid } = siarin
    process.kill(pid, 'SIGSTOP')
    await sleep(LIMIT_SECONDS * 1000 + 500)
    process.kill(pid, 'SIGCONT')
    // Long enough for the thread to judge, had it counted the time: it looks several times a second, and ends within one.
    await sleep(1_500)
    expect((await call(siarin.url, 'GET', '/healthz')).status).toBe(200)
    expect(siarin.pid).toBe(pid)
  })

  it('ends itself with the reason, and its next start adopts the broadcast', async () => {
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 3 })
    const { apiKey } = await personWithVideo(siarin, clip)
    const calls = streamCalls(siarin.url, rtmp)
    await calls.start(apiKey, 'still-key')
    const session = await rtmp.waitForPublisher('still-key', { growing: true })
    await waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
    const before = await ffmpegsUnder(siarin.dataDir)
    expect(before).toHaveLength(1)

    const begun = performance.now()
    process.kill(siarin.pid, 'SIGUSR2')
    const exit = await Promise.race([siarin.ended(), sleep(LIMIT_SECONDS * 5_000, 'still there')])
    expect(exit).toEqual({ code: null, signal: 'SIGKILL' })
    expect(performance.now() - begun).toBeGreaterThan(LIMIT_SECONDS * 500)
    expect(siarin.output()).toContain('its event loop has stood still for 3 s')

    await siarin.restart()
    await waitFor('its ffmpeg to be taken over', async () => siarin.output().includes('took over a running ffmpeg'))
    expect(await ffmpegsUnder(siarin.dataDir)).toEqual(before)
    expect((await rtmp.waitForPublisher('still-key', { growing: true })).id).toBe(session.id)
    await calls.stopAll(apiKey)
  })
})
