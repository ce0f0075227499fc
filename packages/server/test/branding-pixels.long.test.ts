import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { prepareArgs } from '@siarin/media/argv/prepare'
import { type BrandPlan, recipePlan } from '@siarin/media/prepare-plan'
import { readiness } from '@siarin/media/readiness'
import { verifyMaster } from '@siarin/media/verify-master'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInspector } from '../src/modules/library/inspect-video.ts'
import { assertReadable, scanPackets } from '../src/modules/library/preparation/scan-packets.ts'
import { makePng } from './support/brand.ts'

const run = promisify(execFile)
const FFMPEG = process.env['FFMPEG_PATH'] || 'ffmpeg'
const FFPROBE = process.env['FFPROBE_PATH'] || 'ffprobe'
const inspect = createInspector(FFPROBE, 30_000)
const recipe = { width: 320, height: 180, fps: '25/1', kbps: 900 }
const box = { x: 200, y: 20, width: 100, height: 50 }

let folder: TempDir
let clip: string
let logo: string

beforeAll(async () => {
  folder = await tempDir('brand-pixels')
  clip = join(folder.path, 'klip.mp4')
  logo = join(folder.path, 'logo.png')
  await makeClip(clip, { seconds: 3 })
  await writeFile(logo, await makePng(200, 100, 'red@0.6'))
})
afterAll(() => folder.remove())

const scan = async (file: string) =>
  assertReadable(await scanPackets(FFPROBE, file, { baseMs: 30_000, signal: new AbortController().signal }))

async function argsOf(brand: BrandPlan | null, output: string): Promise<string[]> {
  const probe = await inspect(clip)
  const { keyframes } = await scan(clip)
  const plan = recipePlan(probe, readiness(probe, keyframes), recipe, keyframes?.spanSeconds, brand)
  const overlays = brand?.overlays.length ? [logo] : []
  return prepareArgs(plan, { input: clip, output, progressTo: 'pipe:1', overlays })
}

/** Every picture that the encoder is given, as it is given to it. */
async function frames(brand: BrandPlan | null): Promise<Buffer[]> {
  const args = await argsOf(brand, 'unused')
  const lossless = [...args.slice(0, args.indexOf('-c:v', args.indexOf('-map'))), '-an']
  const raw = [
    ...lossless.filter((arg, at) => !isSound(lossless, arg, at)),
    '-pix_fmt',
    'yuv420p',
    '-f',
    'rawvideo',
    '-',
  ]
  const withoutProgress = raw.filter((arg, at) => arg !== '-progress' && raw[at - 1] !== '-progress')
  const { stdout } = await run(FFMPEG, withoutProgress, { encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 })
  const size = (320 * 180 * 3) / 2
  return Array.from({ length: stdout.length / size }, (_, at) => stdout.subarray(at * size, (at + 1) * size))
}
/** The sound has no place in raw pictures. */
const isSound = (args: string[], arg: string, at: number): boolean =>
  (arg === '-map' && /:a:/.test(args[at + 1] ?? '')) || (args[at - 1] === '-map' && /:a:/.test(arg))

/** How many bytes are not the same outside the box and inside it, in all planes. */
function compared(one: Buffer, other: Buffer) {
  let [outside, inside] = [0, 0]
  const plane = (from: number, width: number, height: number, scale: number) => {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if (one[from + y * width + x] === other[from + y * width + x]) continue
        const isIn =
          x * scale >= box.x && x * scale < box.x + box.width && y * scale >= box.y && y * scale < box.y + box.height
        if (isIn) inside++
        else outside++
      }
    }
  }
  plane(0, 320, 180, 1)
  plane(320 * 180, 160, 90, 2)
  plane(320 * 180 * 1.25, 160, 90, 2)
  return { outside, inside }
}

describe('[BRAND-01] a master with a logo', { timeout: 120_000 }, () => {
  it('is given to the encoder with not one byte changed outside the logo’s box, in every frame', async () => {
    const [plain, branded] = [await frames(null), await frames({ fill: null, overlays: [{ ...box, opacity: 1 }] })]
    expect(plain).toHaveLength(75)
    expect(branded).toHaveLength(75)
    for (const [at, frame] of plain.entries()) {
      const { outside, inside } = compared(frame, branded[at] ?? Buffer.alloc(0))
      expect(outside).toBe(0)
      expect(inside).toBeGreaterThan(5_000)
    }
  })

  it('loops as cleanly as any: the same frames, key frames and sound', async () => {
    const facts = []
    for (const brand of [null, { fill: null, overlays: [{ ...box, opacity: 0.5 }] }]) {
      const file = join(folder.path, `${brand ? 'branded' : 'plain'}.mp4`)
      await run(FFMPEG, await argsOf(brand, file))
      const [probe, scanned] = [await inspect(file), await scan(file)]
      expect(verifyMaster(probe, scanned.keyframes)).toEqual([])
      const { video, audio } = probe
      facts.push({
        packets: scanned.packets,
        keyframes: scanned.keyframes,
        seconds: [video.durationSeconds, audio?.durationSeconds],
        picture: [video.codec, video.width, video.height, video.avgFrameRate, video.timescale],
      })
    }
    expect(facts[1]).toEqual(facts[0])
  })
})
