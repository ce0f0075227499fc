import { getPriority } from 'node:os'
import { basename, join } from 'node:path'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { makeClip } from '@siarin/testkit/clips'
import { editListBomb, hugePictures, indexBomb, sparseClip } from '@siarin/testkit/media-bombs'
import { heedPriorities } from '@siarin/testkit/priorities'
import { type Burden, childBurdens } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personWithVideo, processed, signIn, uploadVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const LOOK_EVERY_MS = 5
/** What the tools may have is 768 MB; without a limit each of these files takes more than this. */
const MOST_BYTES = 900 * 1024 ** 2

let stage: StreamStage
let apiKey: string

beforeAll(() => heedPriorities())
beforeAll(async () => {
  stage = await openStreamStage()
  apiKey = (await signIn(stage.program.url)).user.apiKey
})
afterAll(() => stage.close())

/** Every ffprobe and ffmpeg that this program has running, but for broadcasts; the test itself makes its clips beside them. */
function watchTools() {
  const seen = new Map<number, Burden>()
  const timer = setInterval(() => {
    for (const tool of childBurdens()) {
      const isTool = ['ffprobe', 'ffmpeg'].includes(basename(tool.args[0] ?? '')) && !tool.args.includes('-re')
      if (!tool.args.includes('-protocol_whitelist')) continue
      if (isTool) seen.set(tool.pid, tool)
    }
  }, LOOK_EVERY_MS)
  return { seen: () => [...seen.values()], stop: () => clearInterval(timer) }
}

describe('[SAFE-04] a small file that would take gigabytes or hours', () => {
  let tools: ReturnType<typeof watchTools>
  beforeEach(() => {
    tools = watchTools()
  })
  afterEach(({ task }) => {
    tools.stop()
    const seen = tools.seen()
    const peak = Math.max(0, ...seen.map(({ peakBytes }) => peakBytes))
    process.stdout.write(`${task.name}: ${Math.round(peak / 1024 ** 2)} MB at most in ${seen.length} runs\n`)
    expect(peak).toBeLessThan(MOST_BYTES)
    // What a broadcast waits for gives way to nobody.
    const given = seen.filter(({ args }) => !args.includes('format=duration'))
    expect(given.filter(({ nice }) => nice <= getPriority())).toEqual([])
  })

  const bomb = (name: string) => join(stage.folder, name)
  const upload = (file: string) => uploadVideo(stage.program.url, apiKey, file, basename(file))

  it.each([
    ['an index of millions of samples in one line', indexBomb, VIDEO_TEXTS.tooLong],
    ['frames a million seconds apart', (file: string) => sparseClip(file, 1_000_000, 1), VIDEO_TEXTS.tooLong],
    ['a picture of 16,000 dots by 16,000', (file: string) => hugePictures(file), VIDEO_TEXTS.tooManyPixels],
  ])('is refused at once with the reason: %s', async (_name, make, words) => {
    await make(bomb('ditolak.mp4'))
    const { status, body } = await upload(bomb('ditolak.mp4'))
    expect({ status, ...body }).toMatchObject({ status: 422, code: 'video_unusable', message: words })
  })

  it.each([
    ['a video that shows itself again and again', (file: string) => editListBomb(file), VIDEO_TEXTS.tooMuchWork],
    ['ten hours of 25 pictures', (file: string) => sparseClip(file, 1_800, 20), VIDEO_TEXTS.tooSparse],
  ])('fails with the reason once it is read: %s', async (name, make, words) => {
    const file = bomb(`${name.replaceAll(' ', '-')}.mp4`)
    await make(file)
    const { status, body } = await upload(file)
    expect({ status, ...body }).toMatchObject({ status: 200 })
    const video = await processed(stage.program.url, apiKey, body.data.filename)
    expect(video).toMatchObject({ status: 'failed', reason: words })
  })

  it('keeps to its memory where a picture grows in the middle of it', async () => {
    await hugePictures(bomb('tumbuh.mov'), 10)
    const { status, body } = await upload(bomb('tumbuh.mov'))
    expect(status).toBe(200)
    expect((await processed(stage.program.url, apiKey, body.data.filename)).height).toBe(90)
  })

  it('holds up neither the honest file beside it nor the broadcast of somebody else', async () => {
    const honest = bomb('jujur.mkv')
    await makeClip(honest, { seconds: 2, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
    await editListBomb(bomb('ulang.mp4'))
    await indexBomb(bomb('indeks.mp4'))
    const other = await personWithVideo(stage.program, stage.clip)
    const bombs = Promise.all([upload(bomb('ulang.mp4')), upload(bomb('indeks.mp4')), upload(bomb('indeks.mp4'))])
    const { body } = await uploadVideo(stage.program.url, other.apiKey, honest, 'jujur.mkv')
    expect((await stage.start(other.apiKey, 'tetap-tayang')).status).toBe(200)
    await waitFor('the broadcast to be on air', async () => (await stage.active(other.apiKey))[0]?.state === 'live')
    expect((await bombs).map(({ status }) => status)).toEqual([200, 422, 422])
    expect(await processed(stage.program.url, other.apiKey, body.data.filename)).toMatchObject({ status: 'ready' })
    await stage.stopAll(other.apiKey)
  })
})
