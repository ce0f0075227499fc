import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect, promisify } from 'node:util'
import { tempDir } from '@siarin/testkit/temp-dir'
import { describe, expect, it } from 'vitest'
import { startDetached } from './detached.ts'
import { startTool } from './limited-tool.ts'

const KEY = 'kunci-rahasia'
const TARGET = `rtmp://host/live/${KEY}`
const LIMITS = { memoryBytes: 2 ** 29, timeoutMs: 5_000, priority: 'normal' } as const

const seen = (error: unknown): string =>
  `${inspect(error, { showHidden: true, depth: 9 })}${(error as Error).stack}${JSON.stringify(error)}`

const rejectionOf = async (begin: () => Promise<unknown>): Promise<string> => {
  try {
    await begin()
  } catch (error) {
    return seen(error)
  }
  throw new Error('it was started')
}

/** Another Node with as many files open as it may have, so that it can start nothing more. */
const FULL = `
const { openSync } = require('node:fs')
const { inspect } = require('node:util')
const [folder, detached, limitedTool, key] = process.argv.slice(1)
const tell = (error) => inspect(error, { showHidden: true, depth: 9 })
Promise.all([import(detached), import(limitedTool)]).then(async ([{ startDetached }, { startTool }]) => {
  const held = []
  try { for (;;) held.push(openSync('/dev/null')) } catch {}
  // One for the file of its errors; pipes and the new process need more.
  require('node:fs').closeSync(held.pop())
  const failed = await startDetached('/bin/true', [key], { errorFile: folder + '/errors', cwd: folder }).catch(tell)
  const tool = await (async () => startTool('/bin/true', [key], ${JSON.stringify(LIMITS)}).ended)().catch(tell)
  for (const fd of held) require('node:fs').closeSync(fd)
  console.log(failed, tool)
})`

describe('[SEC-12] a program that cannot be started', () => {
  it('is told of without its arguments, whatever kept it from starting', async () => {
    const folder = await tempDir('start-child')
    const options = { errorFile: join(folder.path, 'errors'), cwd: folder.path }
    const tooLong = 'a'.repeat(200_000)
    const told = [
      await rejectionOf(() => startDetached('/nowhere/ffmpeg', ['-f', 'flv', TARGET], options)),
      await rejectionOf(() => startDetached('/bin/true', [TARGET], { ...options, cwd: '/nowhere' })),
      await rejectionOf(() => startDetached('/bin/true', [TARGET, tooLong], options)),
      await rejectionOf(() => startDetached('/bin/true', [`${TARGET}\0`], options)),
      await rejectionOf(async () => startTool('/nowhere/ffmpeg', [TARGET], LIMITS).ended),
      await rejectionOf(async () => startTool('/bin/true', [TARGET, tooLong], LIMITS).ended),
    ]
    await folder.remove()
    expect(told.filter((text) => text.includes(KEY))).toEqual([])
    expect(told[0]).toContain('ENOENT')
    expect(told[2]).toContain('E2BIG')
  })

  it('is told of without its arguments where no more files may be opened', async () => {
    const folder = await tempDir('start-child')
    const [detached, tool] = ['detached.ts', 'limited-tool.ts'].map((name) => join(import.meta.dirname, name))
    const args = ['-e', FULL, folder.path, detached ?? '', tool ?? '', TARGET]
    const limited = ['-c', 'ulimit -n 60; exec "$@"', 'sh', process.execPath, ...args]
    const { stdout } = await promisify(execFile)('/bin/sh', limited)
    await folder.remove()
    expect(stdout).toContain('EMFILE')
    expect(stdout).not.toContain(KEY)
  })
})

describe('the sources of the server', () => {
  it('start processes in one place; two others run tools of the machine whose arguments hold no secret', async () => {
    const root = join(import.meta.dirname, '..', '..')
    const files = (await readdir(root, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
    const starters = await Promise.all(
      files.map(async (name) => {
        const text = await readFile(join(root, name), 'utf8')
        return /import \{[^}]*\b(?:spawn|exec|execFile|fork)\b[^}]*\} from 'node:child_process'/.test(text)
          ? [name]
          : []
      }),
    )
    expect(starters.flat().sort()).toEqual([
      'platform/backup/copy-database.ts',
      'platform/process/start-child.ts',
      'program/fence.ts',
    ])
  })
})
