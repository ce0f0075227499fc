import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInspector, READ_AT_ONCE_SECONDS } from '../src/modules/library/inspect-video.ts'
import { planOf } from '../src/modules/library/loop-plan-of.ts'
import { createOriginalJudge } from '../src/modules/library/preparation/judge-original.ts'
import { scanEdges } from '../src/modules/library/preparation/scan-edges.ts'

const { FFPROBE_PATH = 'ffprobe', FFMPEG_PATH = 'ffmpeg' } = process.env
const LIMITS = { maxHeight: 1080, maxFps: 60 }
const BASE_MS = 60_000

let folder: TempDir
let counting: string
const startsOf = async () => (await readFile(join(folder.path, 'starts'), 'utf8').catch(() => '')).length

beforeAll(async () => {
  folder = await tempDir('judge')
  counting = join(folder.path, 'ffprobe')
  await writeFile(counting, `#!/bin/sh\nprintf . >> '${join(folder.path, 'starts')}'\nexec '${FFPROBE_PATH}' "$@"\n`)
  await chmod(counting, 0o755)
})
afterAll(() => folder.remove())

describe('an ordinary video of some minutes', () => {
  it('is judged by two starts of ffprobe, and its seam as by reading its edges alone', async () => {
    const path = join(folder.path, 'long.mp4')
    await makeClip(path, { seconds: READ_AT_ONCE_SECONDS + 10.3, width: 128, height: 72, fps: 10 })
    const inspect = createInspector(counting, BASE_MS)
    const judge = createOriginalJudge({
      ...{ inspect, ffmpegPath: FFMPEG_PATH, ffprobePath: counting, timings: { scanMs: BASE_MS } },
    })
    const { signal } = new AbortController()
    const judged = await judge({ path, picturePath: join(folder.path, 'picture.jpg'), limits: LIMITS }, signal)
    expect(await startsOf()).toBe(2)
    expect(judged.probe.loop).toBeDefined()
    const edges = await scanEdges(FFPROBE_PATH, path, judged.probe, { baseMs: BASE_MS, signal })
    expect(edges).not.toBeNull()
    expect(judged.probe.loop).toEqual(planOf(judged.probe, edges))
  })
})
