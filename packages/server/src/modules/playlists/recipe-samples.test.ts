import { hash } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecipeSamples } from './recipe-samples.ts'

let folder: TempDir
let tools: { ffmpegPath: string; ffprobePath: string }
let log: string

beforeAll(async () => {
  folder = await tempDir('samples')
  log = join(folder.path, 'samples.log')
  const tool = async (name: string, work: string): Promise<string> => {
    const path = join(folder.path, name)
    await writeFile(path, `#!/bin/sh\n${work}\n`)
    await chmod(path, 0o755)
    return path
  }
  tools = {
    ffmpegPath: await tool('ffmpeg', `echo once >> ${log}; sleep 0.1`),
    ffprobePath: await tool('ffprobe', 'printf alike'),
  }
})
afterAll(() => folder.remove())

const ALIKE = hash('sha256', 'alike')
const recipes = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `640x360@30:${from + index}`)

describe('[LIST-04] samples of recipes', () => {
  it('are made for each owner in turn, few wait for one owner, and each is made once', async () => {
    const samples = createRecipeSamples(tools)
    const many = samples.of('budi', recipes(1_000, 200), 10_000)
    const begunMs = performance.now()
    const own = await samples.of('ani', [...recipes(500, 1), ...recipes(1_000, 1)], 10_000)
    expect([...own.values()]).toEqual([ALIKE, ALIKE])
    // Four turns; budi has twenty.
    expect(performance.now() - begunMs).toBeLessThan(1_700)
    expect((await many).size).toBe(21)
    expect((await samples.of('citra', recipes(1_000, 3), 1)).size).toBe(3)
    expect((await readFile(log, 'utf8')).trim().split('\n')).toHaveLength(22)
  })
})
