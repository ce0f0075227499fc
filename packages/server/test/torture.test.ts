import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Video } from '@siarin/contracts/videos'
import { packetProbeArgs, probeArgs } from '@siarin/media/argv/probe'
import { parseKeyframes } from '@siarin/media/parse/keyframes'
import { parseProbe } from '@siarin/media/parse/probe'
import { readiness } from '@siarin/media/readiness'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { inspectLoops, type LoopReport } from '@siarin/testkit/recording'
import { tempDir } from '@siarin/testkit/temp-dir'
import { type Preparation, TORTURE, TORTURE_OF_EVERY_RUN, type TortureFile } from '@siarin/testkit/torture'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProcessed } from './support/all-processed.ts'
import { call, type Reply, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'

const MAX_STEP_MS = 100
const MAX_DRIFT_MS = 50
/** The busiest machine makes all, prepares all and sends the longest clip four times within this. */
const PATIENCE_MS = 900_000

/** `npm run test:torture` sends every file six times over; each run of all tests one of each kind three times. */
const IS_LONG = process.env['SIARIN_TORTURE'] === 'long'
const CHOSEN = IS_LONG ? TORTURE : TORTURE_OF_EVERY_RUN
const LOOPS = IS_LONG ? 6 : 3
const READY = CHOSEN.filter((file) => file.expect === 'ready')
const REFUSED = CHOSEN.filter((file) => file.expect === 'refused')
/** The name of its broadcast at the RTMP server. */
const keyOf = (file: TortureFile): string => `siksa${TORTURE.indexOf(file)}`

let folder: Awaited<ReturnType<typeof tempDir>>
let rtmp: RtmpServer
let program: TestProgram
let apiKey: string
const made = new Map<TortureFile, string>()
const answers = new Map<TortureFile, { status: number; body: Reply['body'] }>()
const reports = new Map<TortureFile, LoopReport>()
let videos: Video[] = []

beforeAll(async () => {
  folder = await tempDir('torture')
  rtmp = await startRtmpServer({ record: true })
  program = await startProgram()
  apiKey = (await signIn(program.url)).user.apiKey

  // Making, uploading and preparing overlap, so that both cores have work.
  await eachOf(CHOSEN, 2, async (file) => {
    const path = await file.make(join(folder.path, keyOf(file)))
    made.set(file, path)
    answers.set(file, await uploadVideo(program.url, apiKey, path, file.file))
  })
  videos = await allProcessed(program.url, apiKey)

  const onAir = READY.filter((file) => videoOf(file)?.status === 'ready')
  const streams = await Promise.all(onAir.map(goLive))
  await waitFor(`${LOOPS} loops of each`, () => haveLooped(onAir), { timeoutMs: PATIENCE_MS, everyMs: 500 })
  // An account has places for so many of its stops at once.
  await eachOf(streams, 10, stop)
  await Promise.all(onAir.map((file) => rtmp.waitForNoPublisher(keyOf(file))))
  const recordings = await rtmp.recordings()
  await eachOf(onAir, 2, async (file) => {
    const found = recordings.filter((path) => basename(path).startsWith(`${keyOf(file)}-`))
    // A second one means that the broadcast broke off.
    if (found.length === 1) reports.set(file, await inspectLoops(found[0] ?? '', await download(file)))
  })
}, PATIENCE_MS)

afterAll(async () => {
  await program?.close()
  await rtmp?.stop()
  await folder?.remove()
}, 60_000)

async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const videoOf = (file: TortureFile): Video | undefined => videos.find((video) => video.filename === file.file)

async function goLive(file: TortureFile): Promise<string> {
  const target = { platform: 'lain', rtmpStream: `${rtmp.url}/${keyOf(file)}`, looping: true }
  const { body } = await call(program.url, 'POST', '/fitur/steam/start', {
    body: { apiKey, source: file.file, ...target },
  })
  return body.streamId
}

async function stop(streamId: string): Promise<void> {
  const { status } = await call(program.url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId } })
  expect(status).toBe(200)
}

/** A little more than whole loops, since the server's clock starts at the first packet it has read. */
async function haveLooped(files: readonly TortureFile[]): Promise<boolean> {
  const publishers = await rtmp.publishers()
  return files.every((file) => {
    const sentMs = publishers.find(({ name }) => name === keyOf(file))?.timeMs ?? 0
    return sentMs > (LOOPS + 0.5) * (videoOf(file)?.duration ?? 0) * 1000
  })
}

/** The master, as the server serves it. */
async function download(file: TortureFile): Promise<string> {
  const path = join(folder.path, `${keyOf(file)}.master`)
  const served = await fetch(`${program.url}/fitur/video/${file.file}?apiKey=${apiKey}`)
  await writeFile(path, Buffer.from(await served.arrayBuffer()))
  return path
}

/** Null: its sound was made anew, or all of it. */
async function preparationOf(file: TortureFile): Promise<Preparation | null> {
  const { key, loop, tail_key, original_key } = await program.db
    .selectFrom('renditions')
    .innerJoin('videos', 'videos.id', 'video_id')
    .select(['key', 'loop', 'tail_key', 'original_key'])
    .where('filename', '=', file.file)
    .executeTakeFirstOrThrow()
  if (key !== original_key) return loop ? 'remux' : null
  if (tail_key) return 'tail'
  return loop ? 'list' : 'none'
}

async function ffprobe(args: string[]): Promise<string> {
  const { FFPROBE_PATH = '' } = process.env
  return (await promisify(execFile)(FFPROBE_PATH || 'ffprobe', args, { maxBuffer: 16 * 1024 * 1024 })).stdout
}

describe('a file that people own', () => {
  it.each(READY)('is taken and made ready: $name', async (file) => {
    expect(answers.get(file)).toMatchObject({ status: 200, body: { success: true } })
    const video = videoOf(file)
    expect(video).toMatchObject({ status: 'ready', reason: null, videoCodec: 'h264', audioCodec: 'aac' })
    expect(video?.hasThumbnail).toBe(true)
    expect(video?.warning ?? '').toMatch(file.warning ? /terpotong/ : /^$/)
  })

  it.each(READY)('gets no more done to it than it needs: $name', async (file) => {
    const found = await preparationOf(file)
    if (found) return expect(found).toBe(file.preparation)
    const path = made.get(file) ?? ''
    const probe = parseProbe(await ffprobe(probeArgs(path)))
    const keyframes = parseKeyframes(await ffprobe(packetProbeArgs(path)))
    if (!probe) throw new Error(`${file.file} cannot be probed`)
    const { kind } = readiness(probe, keyframes, { maxHeight: 1080, maxFps: 60 })
    expect(kind).toBe(file.preparation)
  })

  it.each(READY)(`is sent ${LOOPS} times over without a seam: $name`, (file) => {
    const report = reports.get(file)
    if (!report) throw new Error(`${file.file} was not on air in one piece`)
    expect(report.loops).toBeGreaterThanOrEqual(LOOPS)
    for (const { smallestMs, largestMs } of [report.video, report.audio]) {
      expect(smallestMs).toBeGreaterThan(0)
      expect(largestMs).toBeLessThanOrEqual(MAX_STEP_MS)
    }
    expect(report.driftMs).toBeLessThanOrEqual(MAX_DRIFT_MS)
  })
})

it('every run has one of each kind: of what is done to a file, and of what is refused', () => {
  const kinds = (files: readonly TortureFile[]) =>
    new Set(files.map(({ expect: fate, preparation }) => preparation ?? fate))
  expect(kinds(TORTURE_OF_EVERY_RUN)).toEqual(kinds(TORTURE))
  expect(TORTURE_OF_EVERY_RUN.length).toBe(20)
})

describe('a file that cannot be broadcast', () => {
  it.each(REFUSED)('is refused with the reason, and leaves nothing: $name', (file) => {
    const { status, body } = answers.get(file) ?? { status: 0, body: null }
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(file.refusal ?? /./) })
    expect(videoOf(file)).toBeUndefined()
  })

  it('takes no room: there are files of the others only', async () => {
    expect(await readdir(join(program.dataDir, 'uploads')).catch(() => [])).toEqual([])
    expect(await readdir(join(program.dataDir, 'work')).catch(() => [])).toEqual([])
    const [owner = '', stranger] = await readdir(join(program.dataDir, 'media'))
    expect(stranger).toBeUndefined()
    expect(await readdir(join(program.dataDir, 'media', owner))).toHaveLength(READY.length)
  })
})
