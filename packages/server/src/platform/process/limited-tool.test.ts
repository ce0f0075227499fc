import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { limitedCommand } from './limited-tool.ts'

const run = promisify(execFile)
const SCORE = '/proc/self/oom_score_adj'
const memoryBytes = 512 * 1024 ** 2

describe.runIf(process.platform === 'linux')('where memory is short', () => {
  it('the kernel ends a tool before anything else', async () => {
    const { stdout, stderr } = await run(...limitedCommand('cat', [SCORE], { memoryBytes, timeoutMs: 5_000 }))
    expect([Number(stdout), stderr]).toEqual([500, ''])
  })

  it('a broadcast counts as the program does', async () => {
    const { stdout } = await run(...limitedCommand('cat', [SCORE], { memoryBytes }))
    expect(stdout).toBe(await readFile(SCORE, 'utf8'))
  })
})
