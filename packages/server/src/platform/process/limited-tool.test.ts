import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { limitedCommand, startTool } from './limited-tool.ts'

const run = promisify(execFile)
const SCORE = '/proc/self/oom_score_adj'
const memoryBytes = 512 * 1024 ** 2

describe.runIf(process.platform === 'linux')('where a machine is short of memory or time', () => {
  it('the kernel ends a tool before anything else', async () => {
    const { stdout, stderr } = await run(...limitedCommand('cat', [SCORE], { memoryBytes, timeoutMs: 5_000 }))
    expect([Number(stdout), stderr]).toEqual([500, ''])
  })

  it('a broadcast counts as the program does', async () => {
    const { stdout } = await run(...limitedCommand('cat', [SCORE], { memoryBytes }))
    expect(stdout).toBe(await readFile(SCORE, 'utf8'))
  })

  it('a tool that timed out is known by how long it had worked', async () => {
    const limits = { memoryBytes, timeoutMs: 500, priority: 'normal' } as const
    const [idle, busy] = await Promise.all(
      ['exec sleep 60', 'while :; do :; done'].map((script) => startTool('/bin/sh', ['-c', script], limits).ended),
    )
    expect([idle, busy]).toMatchObject([{ timedOut: true }, { timedOut: true }])
    expect(busy?.cpuMs).toBeGreaterThan(idle?.cpuMs ?? Infinity)
  })
})
