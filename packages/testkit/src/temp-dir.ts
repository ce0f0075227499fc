import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unmountLeftovers } from './leftover-mounts.ts'
import { isAlive } from './processes.ts'

export type TempDir = { path: string; remove(): Promise<void> }

const OURS = /^siarin-test-(\d+)-/

/** A folder of its own. The name carries our process id: what a killed test run left is swept up by the next one. */
export async function tempDir(prefix: string): Promise<TempDir> {
  await sweep()
  const path = await mkdtemp(join(tmpdir(), `siarin-test-${process.pid}-${prefix}-`))
  // PostgreSQL runs as another user when the tests run as root.
  await chmod(path, 0o755)
  return { path, remove: () => removeFolder(path) }
}

/** A process that is just ending may still write into its folder, hence the retries. */
const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 5 })

async function sweep(): Promise<void> {
  const left = (await readdir(tmpdir())).filter((name) => {
    const owner = OURS.exec(name)?.[1]
    return owner && !isAlive(Number(owner))
  })
  if (left.length > 0) await unmountLeftovers()
  // Another user's leftovers, or another sweep that was faster, are no concern of ours.
  for (const name of left) await removeFolder(join(tmpdir(), name)).catch(() => {})
}
