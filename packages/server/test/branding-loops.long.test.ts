import { basename, join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { inspectLoops } from '@siarin/testkit/recording'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brandCalls, makePng } from './support/brand.ts'
import { personWithVideo, startProgram, type TestProgram } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const SECONDS = 2
/** As for every file of the torture set. */
const LOOPS = process.env['SIARIN_TORTURE'] === 'long' ? 6 : 3
const MAX_STEP_MS = 100
const MAX_DRIFT_MS = 50

let folder: TempDir
let rtmp: RtmpServer
let program: TestProgram
let clip: string

beforeAll(async () => {
  folder = await tempDir('branded')
  rtmp = await startRtmpServer({ record: true })
  program = await startProgram()
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: SECONDS })
})
afterAll(async () => {
  await program.close()
  await rtmp.stop()
  await folder.remove()
})

describe('a version with a brand', () => {
  it.concurrent.each([
    ['logo', { logo: { corner: 'tr', size: 20, margin: 2, opacity: 80 } }],
    ['tegak', { logo: { corner: 'bl', size: 30, margin: 3, opacity: 100 }, frame: { shape: '9:16', fit: 'blur' } }],
  ])(`[BRAND-01] is sent ${LOOPS} times over without a seam: %s`, { timeout: 180_000 }, async (name, look) => {
    const { apiKey } = await personWithVideo(program, clip)
    const { putLogo, made } = brandCalls(program, apiKey)
    await putLogo(await makePng(200, 100, 'red@1.0'))
    const version = await made('klip.mp4', { look })
    const { start, stop } = streamCalls(program.url, rtmp)
    const { body } = await start(apiKey, name, { rendition: version.recipe })
    await waitFor(
      `${LOOPS} loops`,
      async () => ((await rtmp.publisher(name))?.timeMs ?? 0) > (LOOPS + 0.5) * SECONDS * 1000,
      { timeoutMs: 120_000, everyMs: 500 },
    )
    await stop(apiKey, body.streamId)
    await rtmp.waitForNoPublisher(name)
    const [recording = '', second] = (await rtmp.recordings()).filter((path) => basename(path).startsWith(`${name}-`))
    // A second one means that the broadcast broke off.
    expect(second).toBeUndefined()
    const report = await inspectLoops(recording, version.file)
    expect(report.loops).toBeGreaterThanOrEqual(LOOPS)
    for (const { smallestMs, largestMs } of [report.video, report.audio]) {
      expect(smallestMs).toBeGreaterThan(0)
      expect(largestMs).toBeLessThanOrEqual(MAX_STEP_MS)
    }
    expect(report.driftMs).toBeLessThanOrEqual(MAX_DRIFT_MS)
  })
})
