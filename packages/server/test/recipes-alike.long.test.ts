import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { prepareArgs, sampleArgs } from '@siarin/media/argv/prepare'
import { likenessArgs } from '@siarin/media/argv/probe'
import { recipePlan } from '@siarin/media/prepare-plan'
import { readiness } from '@siarin/media/readiness'
import { verifyMaster } from '@siarin/media/verify-master'
import { type ClipOptions, makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { turned } from '@siarin/testkit/torture-recipes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInspector } from '../src/modules/library/inspect-video.ts'
import { scanPackets } from '../src/modules/library/preparation/scan-packets.ts'

const run = promisify(execFile)
const { FFMPEG_PATH, FFPROBE_PATH } = process.env
const [ffmpeg, ffprobe] = [FFMPEG_PATH || 'ffmpeg', FFPROBE_PATH || 'ffprobe']
const SCAN = { baseMs: 240_000, signal: new AbortController().signal }
const RECIPE = { width: 320, height: 180, fps: '30/1', kbps: 500 }

/** As unlike as videos come: turned on their side, of another shape, rate, codec and container, without sound. */
const UNLIKE: Record<string, ClipOptions & { rotate?: boolean }> = {
  'lying.mp4': { seconds: 2, width: 640, height: 360, fps: 25, picture: 'color=white' },
  'turned.mp4': { seconds: 2, width: 320, height: 240, fps: 30, picture: 'color=white', rotate: true },
  'other.mkv': {
    ...{ seconds: 2, width: 160, height: 120, fps: 50, picture: 'color=white' },
    ...{ videoCodec: 'libx265', audioCodec: null },
  },
}

let folder: TempDir
beforeAll(async () => {
  folder = await tempDir('recipes')
})
afterAll(() => folder.remove())

const at = (name: string): string => join(folder.path, name)
const likeness = async (path: string): Promise<string> => (await run(ffprobe, likenessArgs(path))).stdout.trim()
const inspect = createInspector(ffprobe, 240_000)

async function made(name: string, { rotate = false, ...options }: ClipOptions & { rotate?: boolean }): Promise<string> {
  const [input, output] = [at(name), at(`${name}.made.mp4`)]
  await makeClip(input, options)
  const source = rotate ? at(`rotated-${name}`) : input
  if (rotate) await turned(input, source)
  const probe = await inspect(source)
  if (rotate) expect(Math.abs(probe.video.rotation ?? 0)).toBe(90)
  const { keyframes } = await scanPackets(ffprobe, source, SCAN)
  const plan = recipePlan(probe, readiness(probe, keyframes), RECIPE, keyframes?.spanSeconds)
  await run(ffmpeg, prepareArgs(plan, { input: source, output, progressTo: 'pipe:1' }))
  const [after, scanned] = [await inspect(output), await scanPackets(ffprobe, output, SCAN)]
  expect(verifyMaster(after, scanned.keyframes)).toEqual([])
  expect(after.durationSeconds).toBeCloseTo(2, 1)
  return output
}

/** The brightness of one point of the first picture. */
async function brightness(file: string, x: number, y: number): Promise<number> {
  const crop = `crop=2:2:${x}:${y},format=gray`
  const args = ['-v', 'error', '-i', file, '-vf', crop, '-frames:v', '1', '-f', 'rawvideo', '-']
  const { stdout } = await run(ffmpeg, args, { encoding: 'buffer' })
  return stdout[0] ?? Number.NaN
}

describe('[LIST-04] masters that are made by one recipe', { timeout: 240_000 }, () => {
  it('have the same parameters whatever they are made of, which are those of the sample', async () => {
    await run(ffmpeg, sampleArgs(RECIPE, at('sample.mp4')))
    const sample = await likeness(at('sample.mp4'))
    expect(sample).toContain('extradata_hash=MD5:')
    for (const [name, options] of Object.entries(UNLIKE)) {
      const file = await made(name, options)
      expect(await likeness(file), name).toBe(sample)
    }
    // White in the middle of each. Only what has another shape has bars.
    expect(await brightness(at('lying.mp4.made.mp4'), 4, 90)).toBeGreaterThan(200)
    for (const name of ['turned.mp4', 'other.mkv']) {
      expect(await brightness(at(`${name}.made.mp4`), 160, 90), name).toBeGreaterThan(200)
      expect(await brightness(at(`${name}.made.mp4`), 4, 90), name).toBeLessThan(40)
    }
    await run(ffmpeg, sampleArgs({ ...RECIPE, fps: '25/1' }, at('slower.mp4')))
    expect(await likeness(at('slower.mp4'))).not.toBe(sample)
  })
})
