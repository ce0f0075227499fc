import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const [, unit = ''] = /```ini\n([\s\S]*?)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []

it('the unit that operators are told to write keeps broadcasts on air when the program or one of its tools is killed', () => {
  const lines = unit.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'StartLimitIntervalSec=0',
      'Restart=always',
      'KillMode=process',
      // Memory is bounded, and the end of one tool for it is not the end of the unit.
      expect.stringMatching(/^MemoryMax=\d+M$/),
      'OOMPolicy=continue',
    ]),
  )
})

it('root can install and build for that unit without starting a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'siarin-prepare-'))
  const dataDir = join(folder, 'data')
  try {
    // The web app is built elsewhere: a worker needs none.
    const env = { ...process.env, ROLE: 'worker', DATA_DIR: dataDir }
    const run = spawnSync(process.execPath, ['scripts/start.mjs', '--prepare'], {
      env,
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect(run).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(dataDir)).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
