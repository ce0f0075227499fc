import { readFile } from 'node:fs/promises'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { makeClip } from '@siarin/testkit/clips'
import { heedPriorities } from '@siarin/testkit/priorities'
import { childBurdens, isAlive } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ToolLimits } from '../src/platform/process/limited-tool.ts'
import { runBounded } from '../src/platform/process/run-bounded.ts'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { type FakeTools, fakeTools } from './support/fake-tools.ts'
import { processed, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'
import { locationOf, tusOf } from './support/tus.ts'

const MIB = 1024 ** 2
const LIMITS = { memoryBytes: 64 * MIB, timeoutMs: 20_000, maxBytes: 1_000, priority: 'low' } as const

describe('[SAFE-04] a tool under limits', () => {
  beforeAll(() => heedPriorities())

  it('gets no more memory than it may have, and sees that there is none', async () => {
    const run = runBounded('awk', ['BEGIN { all = "x"; while (1) all = all all }'], LIMITS)
    const peaks = [0]
    const timer = setInterval(() => peaks.push(...childBurdens().map(({ peakBytes }) => peakBytes)), 2)
    const { code, stderr, timedOut } = await run
    clearInterval(timer)
    expect({ code, timedOut }).toEqual({ code: 2, timedOut: false })
    expect(stderr).toMatch(/memory/)
    expect(Math.max(...peaks)).toBeLessThan(80 * MIB)
  })

  it('is ended for its time', async () => {
    expect(await runBounded('sleep', ['600'], { ...LIMITS, timeoutMs: 300 })).toMatchObject({
      code: null,
      timedOut: true,
    })
  })

  it('is ended by the kernel where nobody watches the clock', async () => {
    const { code, stdout } = await runBounded('sh', ['-c', 'ulimit -t; ulimit -d'], { ...LIMITS, timeoutMs: 3_000 })
    const [cpuSeconds, kilobytes] = stdout.trim().split('\n').map(Number)
    expect(code).toBe(0)
    expect(cpuSeconds).toBeGreaterThanOrEqual(4)
    expect(kilobytes).toBe(64 * 1024)
  })

  it('gives way to broadcasts, or does not', async () => {
    const niceOf = async (priority: ToolLimits['priority']) =>
      Number((await runBounded('sh', ['-c', 'sleep 0.2; nice'], { ...LIMITS, priority })).stdout)
    expect(await niceOf('low')).toBeGreaterThanOrEqual(constants.priority.PRIORITY_BELOW_NORMAL)
    expect(await niceOf('waited-for')).toBeGreaterThan(0)
    expect(await niceOf('normal')).toBe(getPriority())
  })

  it('is told apart from one that cannot be run', async () => {
    await expect(runBounded('/nowhere/ffprobe', [], LIMITS)).rejects.toThrow('/nowhere/ffprobe could not be run')
  })

  it('takes its arguments as they are', async () => {
    const odd = ['%s|', '$(id)', "it's", '-x', '', '*']
    expect((await runBounded('printf', odd, LIMITS)).stdout).toBe("$(id)|it's|-x||*|")
  })
})

describe('[SAFE-04] a file that holds up the tool that reads it', () => {
  let folder: TempDir
  let program: TestProgram
  let tools: FakeTools
  let clip: string

  beforeAll(async () => {
    folder = await tempDir('limits')
    tools = await fakeTools(folder.path)
    clip = join(folder.path, 'klip.mkv')
    await makeClip(clip, { seconds: 1, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
    const mediaTools = { ...USUAL_TIMINGS.mediaTools, inspectMs: 3_000, scanMs: 1_000, standstillMs: 1_000 }
    const finishedUploads = { everyMs: 300, againMs: 1_000 }
    program = await startProgram(tools.settings, { mediaTools, finishedUploads })
  })
  afterEach(() => tools.letGo())
  afterAll(async () => {
    await program.close()
    await folder.remove()
  })

  const person = async () => (await signIn(program.url)).user.apiKey
  const upload = (apiKey: string) => uploadVideo(program.url, apiKey, clip, 'klip.mkv')

  it('is refused when the look into it takes too long', async () => {
    await tools.hold('stream_disposition')
    const { status, body } = await upload(await person())
    expect({ status, ...body }).toMatchObject({ status: 422, message: VIDEO_TEXTS.tooMuchWork })
    expect((await tools.runs()).filter(({ pid }) => isAlive(pid))).toEqual([])
  })

  it.runIf(isWholeRun)(
    'is kept where it came by tus, and looked into again later: the machine may have been busy',
    async () => {
      const apiKey = await person()
      const bytes = await readFile(clip)
      const tus = tusOf(program.url, apiKey)
      await tools.hold('stream_disposition')
      const location = locationOf(await tus.create(bytes.length, 'klip.mkv'))
      const answer = await tus.patch(location, 0, bytes)
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({ code: 'server_full', message: VIDEO_TEXTS.lookedIntoLater })
      // It had a second look at once, behind the others: it had done nothing meanwhile.
      expect((await tools.runs()).length).toBeGreaterThanOrEqual(2)
      await tools.letGo()
      // It is a video now. Whether these limits let it be prepared depends on how busy the machine is.
      await processed(program.url, apiKey, 'klip.mkv')
    },
  )

  it.each([
    ['reading its packets', 'packet=pts_time'],
    ['making its master', 'master.mp4'],
  ])('fails when it stands still: %s', async (_name, part) => {
    const apiKey = await person()
    await tools.hold(part)
    const { body } = await upload(apiKey)
    const video = await processed(program.url, apiKey, body.data.filename)
    expect(video).toMatchObject({ status: 'failed', reason: VIDEO_TEXTS.tooMuchWork })
    expect((await tools.runs()).filter(({ pid }) => isAlive(pid))).toEqual([])
  })

  it.runIf(isWholeRun)('is looked into beside a few others and no more, and the rest get their turn', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, person))
    await tools.hold('stream_disposition')
    const answers = people.map(upload)
    await tools.held(2)
    const atOnce: number[] = []
    await waitFor('others to have had their turn', async () => {
      const runs = await tools.runs()
      atOnce.push(runs.filter(({ pid }) => isAlive(pid)).length)
      return runs.length >= people.length
    })
    await tools.letGo()
    // Two that begin, two that turned out to take long, and two that have just been told to end.
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(6)
    for (const { status } of await Promise.all(answers)) expect([200, 422]).toContain(status)
  })
})
