import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { isAlive } from './processes.ts'

const run = promisify(execFile)

/**
 * A mount outlives a killed test run, and keeps its folder from being swept up. One that was made to hang would hold up the sweep for ever,
 * so it is let go first.
 */
export async function unmountLeftovers(): Promise<void> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  for (const line of mounts.split('\n')) {
    const [, path = ''] = line.split(' ')
    const owner = path.startsWith(tmpdir()) ? /\/siarin-test-(\d+)-/.exec(path)?.[1] : undefined
    if (!owner || isAlive(Number(owner))) continue
    // Most are not frozen.
    await run('fsfreeze', ['--unfreeze', path]).catch(() => {})
    await run('umount', ['--lazy', path]).catch(() => {})
  }
}
