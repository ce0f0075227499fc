import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type HangingDisk, mountHangingDisk } from '@siarin/testkit/hanging-disk'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { packetsOf } from '@siarin/testkit/recording'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, personWithVideo, startProgram, type TestProgram } from './support/program.ts'
import { assertPlays, piecesOf, SHORT_PIECES } from './support/recorded-relays.ts'
import { streamCalls } from './support/streams.ts'

const PATIENT = { timeoutMs: 90_000 }
const FRAME_MS = 40

let program: TestProgram
let ingest: RtmpServer
let source: HlsSource
let folder: TempDir
let apiKey: string
let calls: ReturnType<typeof streamCalls>
let disk: HangingDisk | null = null
let refusal = ''

beforeAll(async () => {
  folder = await tempDir('recorded-faults')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  program = await startProgram({ DISK_RESERVE_MB: '0' }, SHORT_PIECES)
  const mounted = await mountHangingDisk(join(program.dataDir, 'recording'), 16)
  if ('refusal' in mounted) refusal = `no disk can be mounted here: ${mounted.refusal}`
  else disk = mounted
  ingest = await startRtmpServer({ record: true })
  source = await startHlsSource()
  calls = streamCalls(program.url, ingest)
  apiKey = (await personWithVideo(program, clip)).apiKey
}, 300_000)

afterAll(async () => {
  if (refusal) process.stdout.write(`\nSKIPPED, a disk of its own for recordings was not tried: ${refusal}\n\n`)
  await disk?.goOn()
  await calls?.stopAll(apiKey)
  await disk?.remove()
  await program?.close()
  await ingest?.stop()
  await source?.dispose()
  await folder?.remove()
})

beforeEach((context) => context.skip(refusal !== '', refusal))

const ownDisk = (): HangingDisk => {
  if (!disk) throw new Error('there is no disk')
  return disk
}

async function recorded(key: string): Promise<{ id: string; publisher: number }> {
  const { body } = await calls.start(apiKey, key, { source: source.url, record: true })
  await waitFor('a piece', async () => (await piecesOf(program.db, body.streamId)).length > 0, PATIENT)
  return { id: body.streamId, publisher: (await ingest.waitForPublisher(key, PATIENT)).id }
}

const whyEnded = (id: string) =>
  waitFor('the recording to end', async () => (await piecesOf(program.db, id))[0]?.ended_why, PATIENT)

/** The same connection all along, and not a frame missing. */
async function assertUnharmed(key: string, publisher: number): Promise<void> {
  expect(await ingest.waitForPublisher(key, { growing: true, ...PATIENT })).toMatchObject({ id: publisher })
}

async function assertNoStep(key: string): Promise<void> {
  const file = (await ingest.recordings()).find((name) => name.includes(`/${key}-`)) ?? ''
  const { video } = await packetsOf(file)
  const steps = video.slice(1).map(({ decodedMs }, index) => decodedMs - (video[index]?.decodedMs ?? 0))
  process.stdout.write(`${key}: ${video.length} pictures at the ingest, largest step ${Math.max(...steps)} ms\n`)
  expect(video.length).toBeGreaterThan(200)
  expect(Math.max(...steps)).toBeLessThanOrEqual(FRAME_MS)
}

describe('[REC-02] a recording whose disk', { timeout: 300_000 }, () => {
  it('is full ends, and the broadcast does not notice', async () => {
    const { id, publisher } = await recorded('full')
    await ownDisk().fill()
    // On a busy machine the gap that the recorder leaves may be seen before the disk is looked at.
    expect(['disk-full', 'recorder-failed']).toContain(await whyEnded(id))
    // Longer than pieces last: the recorder has met the end of its room by then.
    await waitFor('it to go on', async () => (await sentMs(id)) > 15_000, PATIENT)
    await assertUnharmed('full', publisher)
    await ownDisk().makeRoom()
    await calls.stop(apiKey, id)
    await ingest.waitForNoPublisher('full', PATIENT)
    await assertNoStep('full')
    for (const { key } of await piecesOf(program.db, id)) await assertPlays(join(program.dataDir, 'media', key))
  })

  it('hangs ends, and the broadcast neither notices nor fails to end', async () => {
    const { id, publisher } = await recorded('hangs')
    await ownDisk().hang()
    const hungAt = await sentMs(id)
    expect(await whyEnded(id)).toBe('recorder-failed')
    // More than the recorder's queue holds.
    await waitFor('it to go on', async () => (await sentMs(id)) > hungAt + 35_000, PATIENT)
    await assertUnharmed('hangs', publisher)
    const from = performance.now()
    await calls.stop(apiKey, id)
    await waitFor('its end', async () => (await calls.active(apiKey)).length === 0, PATIENT)
    const took = performance.now() - from
    process.stdout.write(`stopped within ${Math.round(took)} ms while the disk hung (bound 7 s)\n`)
    expect(took).toBeLessThan(35_000)
    // Another one can go on air meanwhile, unrecorded.
    const other = await calls.start(apiKey, 'meanwhile', { source: source.url, record: true })
    await ingest.waitForPublisher('meanwhile', { growing: true, ...PATIENT })
    await ownDisk().goOn()
    await ingest.waitForNoPublisher('hangs', PATIENT)
    await assertNoStep('hangs')
    await calls.stop(apiKey, other.body.streamId)
    for (const { key } of await piecesOf(program.db, id)) await assertPlays(join(program.dataDir, 'media', key))
    expect((await call(program.url, 'GET', '/readyz')).status).toBe(200)
  })
})

/** How long it has been on air. */
async function sentMs(id: string): Promise<number> {
  const { frames } = await program.db
    .selectFrom('streams')
    .select('frames')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(frames ?? 0) * FRAME_MS
}
