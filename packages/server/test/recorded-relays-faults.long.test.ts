import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { mountHangingDisk } from '@siarin/testkit/hanging-disk'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { packetsOf } from '@siarin/testkit/recording'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { call, personWithVideo, startProgram, type TestProgram } from './support/program.ts'
import { assertPlays, piecesOf, SHORT_PIECES } from './support/recorded-relays.ts'
import { streamCalls } from './support/streams.ts'

const PATIENT = { timeoutMs: 90_000 }
/** More than usual: the recorder's queue, which counts packets, is full sooner. */
const FPS = 60
const FRAME_MS = 1000 / FPS
/** The queue holds 2048 packets; 47 a second are sound. */
const QUEUED_MS = (2048 / (FPS + 47)) * 1000

let ingest: RtmpServer
let source: HlsSource
let folder: TempDir
let clip: string

beforeAll(async () => {
  folder = await tempDir('recorded-faults')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  ingest = await startRtmpServer({ record: true })
  source = await startHlsSource({ fps: FPS })
}, 300_000)

afterAll(async () => {
  await ingest?.stop()
  await source?.dispose()
  await folder?.remove()
})

/** A program whose recordings have a disk of their own, and somebody whose broadcast is recorded. */
async function openStage(key: string) {
  const program = await startProgram({ DISK_RESERVE_MB: '0' }, SHORT_PIECES)
  const disk = await mountHangingDisk(join(program.dataDir, 'recording'), 16)
  if ('refusal' in disk) {
    await program.close()
    return { refusal: disk.refusal }
  }
  const calls = streamCalls(program.url, ingest)
  const { apiKey } = await personWithVideo(program, clip)
  const { body } = await calls.start(apiKey, key, { source: source.url, record: true })
  const id: string = body.streamId
  const pieces = () => piecesOf(program.db, id)
  await waitFor('a piece', async () => (await pieces()).length > 0, PATIENT)
  const { id: publisher } = await ingest.waitForPublisher(key, PATIENT)
  return {
    ...{ program, disk, calls, apiKey, id },
    whyEnded: () => waitFor('the recording to end', async () => (await pieces())[0]?.ended_why, PATIENT),
    hasSent: (ms: number) => waitFor('it to go on', async () => (await sentMs(program, id)) > ms, PATIENT),
    /** The same connection all along. */
    async assertUnharmed(): Promise<void> {
      expect(await ingest.waitForPublisher(key, { growing: true, ...PATIENT })).toMatchObject({ id: publisher })
    },
    async assertPiecesPlay(): Promise<void> {
      for (const piece of await pieces()) await assertPlays(join(program.dataDir, 'media', piece.key))
    },
    async close(): Promise<void> {
      await disk.goOn()
      await calls.stopAll(apiKey)
      await disk.remove()
      await program.close()
    },
  }
}
type Stage = Exclude<Awaited<ReturnType<typeof openStage>>, { refusal: string }>

/** Where no disk can be mounted, that is said and the test is passed over. */
async function onOwnDisk({ skip }: TestContext, key: string, test: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await openStage(key)
  if ('refusal' in stage) {
    process.stdout.write(`\nSKIPPED, a disk of its own for recordings was not tried: ${stage.refusal}\n\n`)
    return skip(`no disk can be mounted here: ${stage.refusal}`)
  }
  try {
    await test(stage)
  } finally {
    await stage.close()
  }
}

/** Not a frame is missing. */
async function assertNoStep(key: string): Promise<void> {
  const file = (await ingest.recordings()).find((name) => name.includes(`/${key}-`)) ?? ''
  const { video } = await packetsOf(file)
  const steps = video.slice(1).map(({ decodedMs }, index) => decodedMs - (video[index]?.decodedMs ?? 0))
  process.stdout.write(`${key}: ${video.length} pictures at the ingest, largest step ${Math.max(...steps)} ms\n`)
  expect(video.length).toBeGreaterThan(8 * FPS)
  // The steps are whole milliseconds.
  expect(Math.max(...steps)).toBeLessThanOrEqual(Math.ceil(FRAME_MS))
}

/** Each with a disk of its own, at the same time: most of it is waiting. */
describe.concurrent('[REC-02] a recording whose disk', { timeout: 300_000 }, () => {
  it('is full ends, and the broadcast does not notice', (context) =>
    onOwnDisk(context, 'full', async ({ disk, calls, apiKey, id, ...stage }) => {
      await disk.fill()
      // On a busy machine the gap that the recorder leaves may be seen before the disk is looked at.
      expect(['disk-full', 'recorder-failed']).toContain(await stage.whyEnded())
      // Longer than pieces last: the recorder has met the end of its room by then.
      await stage.hasSent(15_000)
      await stage.assertUnharmed()
      await disk.makeRoom()
      await calls.stop(apiKey, id)
      await ingest.waitForNoPublisher('full', PATIENT)
      await assertNoStep('full')
      await stage.assertPiecesPlay()
    }))

  it('hangs ends, and the broadcast neither notices nor fails to end', (context) =>
    onOwnDisk(context, 'hangs', async ({ disk, calls, apiKey, id, program, ...stage }) => {
      await disk.hang()
      const hungAt = await sentMs(program, id)
      expect(await stage.whyEnded()).toBe('recorder-failed')
      // More than the recorder's queue holds.
      await stage.hasSent(hungAt + 1.2 * QUEUED_MS)
      await stage.assertUnharmed()
      const from = performance.now()
      await calls.stop(apiKey, id)
      await waitFor('its end', async () => (await calls.active(apiKey)).length === 0, PATIENT)
      const took = performance.now() - from
      process.stdout.write(`stopped within ${Math.round(took)} ms while the disk hung (bound 7 s)\n`)
      expect(took).toBeLessThan(35_000)
      // Another one can go on air meanwhile, unrecorded.
      const other = await calls.start(apiKey, 'meanwhile', { source: source.url, record: true })
      await ingest.waitForPublisher('meanwhile', { growing: true, ...PATIENT })
      await disk.goOn()
      await ingest.waitForNoPublisher('hangs', PATIENT)
      await assertNoStep('hangs')
      await calls.stop(apiKey, other.body.streamId)
      await stage.assertPiecesPlay()
      expect((await call(program.url, 'GET', '/readyz')).status).toBe(200)
    }))
})

/** How long it has been on air. */
async function sentMs({ db }: TestProgram, id: string): Promise<number> {
  const { frames } = await db.selectFrom('streams').select('frames').where('id', '=', id).executeTakeFirstOrThrow()
  return Number(frames ?? 0) * FRAME_MS
}
