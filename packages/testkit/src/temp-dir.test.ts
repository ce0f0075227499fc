import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from './temp-dir.ts'

it('sweeps up what a test run that is no more has left, and only that', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const left = join(tmpdir(), `siarin-test-${pid}-left-abc`)
  await mkdir(left)
  await writeFile(join(left, 'file'), '')

  const ours = await tempDir('ours')
  expect(existsSync(left)).toBe(false)
  const other = await tempDir('other')
  expect(existsSync(ours.path)).toBe(true)

  await ours.remove()
  await other.remove()
  expect(existsSync(ours.path)).toBe(false)
})
