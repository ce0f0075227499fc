import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { packetsOf } from '@siarin/testkit/recording'
import { SEAMS } from '@siarin/testkit/seams'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProcessed } from './support/all-processed.ts'
import { signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

/** Files whose picture and sound are sent as they are, by a list that says how their end meets their beginning. */
const KINDS = ['seam-48.mp4', 'seam-long-50.mp4', 'seam-start.mp4', 'seam-short-500.mp4']
const MAX_STEP_MS = 100

let folder: TempDir
let rtmp: RtmpServer
let program: TestProgram
let apiKey: string
let calls: ReturnType<typeof streamCalls>
const made = new Map<string, string>()

beforeAll(async () => {
  folder = await tempDir('looped')
  rtmp = await startRtmpServer({ record: true })
  program = await startProgram()
  calls = streamCalls(program.url, rtmp)
  apiKey = (await signIn(program.url)).user.apiKey
  for (const name of KINDS) {
    const recipe = SEAMS.find(({ recipe: { file } }) => file === name)?.recipe
    const path = (await recipe?.make(folder.path)) ?? ''
    made.set(name, path)
    await uploadVideo(program.url, apiKey, path, name)
  }
  for (const video of await allProcessed(program.url, apiKey)) expect(video).toMatchObject({ status: 'ready' })
})

afterAll(async () => {
  await program.close()
  await rtmp.stop()
  await folder.remove()
})

const start = async (key: string, source: string): Promise<string> => {
  const { body } = await calls.start(apiKey, key, { source })
  await rtmp.waitForPublisher(key, { growing: true })
  return body.streamId
}

const sourceOf = async (id: string) => (await calls.active(apiKey)).find(({ streamId }) => streamId === id)?.source

const hasSent = (key: string, seconds: number) =>
  waitFor(`${seconds} s of ${key}`, async () => ((await rtmp.publisher(key))?.timeMs ?? 0) > seconds * 1000)

/** What was recorded, oldest first. */
async function recordingsOf(key: string, streamId: string): Promise<string[]> {
  await calls.stop(apiKey, streamId)
  await rtmp.waitForNoPublisher(key)
  return (await rtmp.recordings()).filter((path) => path.includes(`${key}-`)).sort()
}

async function stepsIn(recording: string) {
  const { video, audio } = await packetsOf(recording)
  const steps = [video, audio].flatMap((packets) =>
    packets.slice(1).map(({ decodedMs }, index) => decodedMs - (packets[index]?.decodedMs ?? Number.NaN)),
  )
  return { smallest: Math.min(...steps), largest: Math.max(...steps) }
}

describe('an original that is looped by a list', () => {
  it('takes its disk once', async () => {
    const rows = await program.db.selectFrom('renditions').select(['bytes', 'loop', 'tail_key']).execute()
    expect(rows).toHaveLength(KINDS.length)
    for (const { bytes, loop, tail_key } of rows) {
      expect(loop).not.toBeNull()
      if (tail_key === null) expect(bytes).toBe(0)
    }
  })

  it.concurrent('is changed for another one without a drop of the session and without a step', async () => {
    const streamId = await start('swap-lists', 'seam-48.mp4')
    await calls.swap(apiKey, streamId, 'seam-long-50.mp4')
    await waitFor('the second', async () => (await sourceOf(streamId)) === 'seam-long-50.mp4')
    await calls.swap(apiKey, streamId, 'seam-48.mp4')
    await waitFor('the first again', async () => (await sourceOf(streamId)) === 'seam-48.mp4')
    const recordings = await recordingsOf('swap-lists', streamId)
    expect(recordings).toHaveLength(1)
    const { smallest, largest } = await stepsIn(recordings[0] ?? '')
    expect(smallest).toBeGreaterThan(0)
    expect(largest).toBeLessThanOrEqual(MAX_STEP_MS)
  })

  it.concurrent.each([
    ['whose clock does not start at zero', 'seam-start.mp4', 2.2, 1],
    ['within its tail', 'seam-short-500.mp4', 2.7, 1],
  ])('goes on near where it was, %s', async (_name, source, seconds, atLeast) => {
    const key = `resume-${source.replace(/\W/g, '-')}`
    const streamId = await start(key, source)
    await hasSent(key, seconds)
    const ownFfmpegs = async () =>
      (await ffmpegsUnder(program.dataDir)).filter(({ args }) => args.some((arg) => arg.includes(streamId)))
    const before = await ownFfmpegs()
    kill9(before[0])
    await waitFor('a new session', async () =>
      (await ownFfmpegs()).some(({ pid }) => !before.some((one) => one.pid === pid)),
    )
    await rtmp.waitForPublisher(key, { growing: true })
    await hasSent(key, 4)
    const recordings = await recordingsOf(key, streamId)
    const last = recordings.at(-1) ?? ''
    const [sent, once] = [await packetsOf(last), await packetsOf(made.get(source) ?? '')]
    const first = once.video.find(({ hash }) => hash === sent.video[0]?.hash)
    const startMs = once.video[0]?.shownMs ?? 0
    expect(((first?.shownMs ?? 0) - startMs) / 1000).toBeGreaterThanOrEqual(atLeast)
    const { smallest, largest } = await stepsIn(last)
    expect(smallest).toBeGreaterThan(0)
    expect(largest).toBeLessThanOrEqual(MAX_STEP_MS)
  })

  it('opens nothing else, whatever lies in its place', async () => {
    const { original_key } = await program.db
      .selectFrom('videos')
      .select('original_key')
      .where('filename', '=', 'seam-48.mp4')
      .executeTakeFirstOrThrow()
    const path = join(program.dataDir, 'media', original_key ?? '')
    // Beside it: a name without a folder is what ffmpeg takes for safe.
    const secret = join(dirname(path), 'secret.mp4')
    await copyFile(path, secret)
    await rename(path, `${path}.kept`)
    await writeFile(path, 'ffconcat version 1.0\nfile secret.mp4\n')
    const { body } = await calls.start(apiKey, 'hostile-list', { source: 'seam-48.mp4' })
    await waitFor('it to be tried', async () => {
      expect(await rtmp.publisher('hostile-list')).toBeNull()
      const [stream] = await calls.active(apiKey)
      return stream?.state === 'waiting' || stream === undefined
    })
    await calls.stop(apiKey, body.streamId)
    await rename(`${path}.kept`, path)
    await rm(secret)
  })
})
