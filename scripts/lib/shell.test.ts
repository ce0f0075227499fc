import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const NOBODY = 65_534
const SHELL = pathToFileURL(join(import.meta.dirname, 'shell.mjs')).href
const script = (folder: string) =>
  `import('${SHELL}').then(({ assertWritable, runScript }) => runScript(async () => assertWritable('${folder}')))`

it('who may not write to the code is told in one line to have it prepared', () => {
  const folder = mkdtempSync(join(tmpdir(), 'siarin-shell-'))
  try {
    const ask = (...args: Parameters<typeof spawnSync>[2][]) =>
      spawnSync(process.execPath, ['-e', script(folder)], { encoding: 'utf8', ...args[0] })
    expect(ask()).toMatchObject({ status: 0, stderr: '' })
    // Root may write everywhere.
    if (process.getuid?.() !== 0) return
    const refused = ask({ uid: NOBODY, gid: NOBODY, cwd: '/' })
    expect(refused.status).toBe(1)
    expect(refused.stderr).toBe(
      `${folder} has changed since it was prepared, and this user may not write there. Run npm start -- --prepare in it as root.\n`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
