import { execFile } from 'node:child_process'
import { copyFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Recording, RecordingDetails } from '@siarin/contracts/recordings'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo, processed, startProgram, type TestProgram, uploadVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const KEY = 'rekam'
const FPS = 25
/** What one that was killed sent since it last spoke is estimated. */
const LAST_WORDS_FRAMES = FPS

let folder: TempDir
let rtmp: RtmpServer
let program: TestProgram

beforeAll(async () => {
  folder = await tempDir('recorded')
  rtmp = await startRtmpServer({ record: true })
  program = await startProgram()
})
afterAll(async () => {
  await program.close()
  await rtmp.stop()
  await folder.remove()
})

/** The pictures of a file, decoded, each by its hash. */
async function framesOf(file: string): Promise<string[]> {
  const args = ['-v', 'error', '-i', file, '-map', '0:v:0', '-fps_mode', 'passthrough', '-f', 'framemd5', '-']
  const { stdout } = await promisify(execFile)('ffmpeg', args, { maxBuffer: 64 * 1024 ** 2 })
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '')
}

/** What the ingest has of each session by now, put aside: the server forgets it when it stops. */
async function keepRecorded(since: number): Promise<string[]> {
  const found = (await rtmp.recordings()).filter((path) => basename(path).startsWith(KEY))
  return Promise.all(
    found.map(async (path, index) => {
      const copy = join(folder.path, `ingest-${since + index}.flv`)
      await copyFile(path, copy)
      return copy
    }),
  )
}

describe('a recording', () => {
  it('[REC-01] plays what the ingest recorded, at 20 random moments of a loop with a swap, a kill -9 and an outage', async () => {
    const clip = join(folder.path, 'klip.mp4')
    const second = join(folder.path, 'kedua.mp4')
    await makeClip(clip, { seconds: 2 })
    await makeClip(second, { seconds: 3, picture: 'testsrc' })
    const { apiKey } = await personWithVideo(program, clip)
    await uploadVideo(program.url, apiKey, second, 'kedua.mp4')
    expect(await processed(program.url, apiKey, 'kedua.mp4')).toMatchObject({ status: 'ready' })
    const { start, swap, stop, active } = streamCalls(program.url, rtmp)
    const { streamId } = (await start(apiKey, KEY, { record: true, title: 'Malam ini' })).body

    // A loop, then another video in the same session, then a kill.
    const first = await rtmp.waitForPublisher(KEY, { growing: true })
    await sleepUntilSent(first.id, 2_500)
    await swap(apiKey, streamId, 'kedua.mp4')
    await waitFor('the second video to play', async () => (await active(apiKey))[0]?.source === 'kedua.mp4')
    await sleepUntilSent(first.id, 8_000)
    const [running] = (await ffmpegsUnder(program.dataDir)).filter(({ args }) =>
      args.some((arg) => arg.includes(streamId)),
    )
    kill9(running)
    const next = await rtmp.waitForPublisher(KEY, { growing: true, otherThan: first.id })
    await sleepUntilSent(next.id, 3_500)

    // An outage.
    const sent = await keepRecorded(0)
    await rtmp.stop()
    await waitFor('the loss to be seen', async () => (await active(apiKey))[0]?.state === 'waiting')
    await rtmp.start()
    const last = await rtmp.waitForPublisher(KEY, { growing: true })
    await sleepUntilSent(last.id, 3_000)
    await stop(apiKey, streamId)
    await rtmp.waitForNoPublisher(KEY)
    sent.push(...(await keepRecorded(sent.length)))

    const recording = await waitFor('the recording', async () => {
      const { body } = await call(program.url, 'GET', `/fitur/recording?apiKey=${apiKey}`)
      return (body.recordings as Recording[]).find(({ state }) => state === 'ready')
    })
    const path = `/fitur/recording/${recording.recordingId}`
    const { parts } = (await call(program.url, 'GET', `${path}?apiKey=${apiKey}`)).body.recording as RecordingDetails
    expect(recording).toMatchObject({ title: 'Malam ini', online: false, interruptions: 2 })
    expect(parts).toHaveLength(sent.length)

    const file = join(folder.path, 'rekaman.mp4')
    const answer = await fetch(`${program.url}${path}/file`, { headers: { 'x-api-key': apiKey } })
    expect(answer.status).toBe(200)
    await writeFile(file, Buffer.from(await answer.arrayBuffer()))
    const recorded = await framesOf(file)
    const sessions = await Promise.all(sent.map(framesOf))

    let begins = 0
    const pairs = parts.flatMap(({ seconds }, index) => {
      // A part that ends within a picture has it whole.
      const count = Math.ceil(seconds * FPS)
      const [own, session] = [recorded.slice(begins, begins + count), sessions[index] ?? []]
      begins += count
      // Nothing that was sent is missing but for what came after ffmpeg's last words.
      expect([index, Math.abs(session.length - count) < LAST_WORDS_FRAMES]).toEqual([index, true])
      return own.slice(0, session.length).map((frame, at) => ({ part: index, at, recorded: frame, sent: session[at] }))
    })
    const chosen = Array.from({ length: 20 }, () => pairs[Math.floor(Math.random() * pairs.length)])
    expect(chosen.map((pair) => pair?.recorded)).toEqual(chosen.map((pair) => pair?.sent))
    expect(pairs.filter((pair) => pair.recorded !== pair.sent)).toEqual([])
    expect(recorded).toHaveLength(begins)
  }, 120_000)
})

const sleepUntilSent = (publisher: number, ms: number): Promise<unknown> =>
  waitFor(`${ms} ms to be sent`, async () => {
    const now = await rtmp.publisher(KEY)
    return now?.id === publisher && now.timeMs >= ms
  })
