import { execFile } from 'node:child_process'
import { mkdir, open, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from './processes.ts'
import { tempDir } from './temp-dir.ts'

const run = promisify(execFile)

export type SmallDisk = {
  path: string
  /** Takes all room but this much. */
  fill(leaveBytes?: number): Promise<void>
  makeRoom(): Promise<void>
  remove(): Promise<void>
}

const MAX_PIECE_BYTES = 1024 ** 2

/** A disk of a test's own, in memory, that can really be full. Answers why not where this machine lets nobody mount one. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | { refusal: string }> {
  await unmountLeftovers()
  const folder = await tempDir('disk')
  const path = join(folder.path, 'mounted')
  await mkdir(path)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'siarin-test', path])
  } catch (error) {
    await folder.remove()
    return { refusal: (error as Error).message.trim().split('\n').at(-1) ?? '' }
  }

  const ballast = join(path, 'ballast')
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  }
  return {
    path,
    async fill(leaveBytes = 0) {
      const file = await open(ballast, 'a')
      try {
        for (;;) {
          const piece = Math.min((await freeBytes()) - leaveBytes, MAX_PIECE_BYTES)
          if (piece <= 0) return
          await file.write(Buffer.alloc(piece))
        }
      } catch (error) {
        // Somebody else was faster: it is full all the same.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await file.close()
      }
    },
    makeRoom: () => rm(ballast, { force: true }),
    async remove() {
      await run('umount', ['--lazy', path])
      await folder.remove()
    },
  }
}

/** A mount outlives a killed test run, and keeps its folder from being swept up. */
async function unmountLeftovers(): Promise<void> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  for (const line of mounts.split('\n')) {
    const [, path = ''] = line.split(' ')
    const owner = path.startsWith(tmpdir()) ? /\/siarin-test-(\d+)-disk-/.exec(path)?.[1] : undefined
    if (owner && !isAlive(Number(owner))) await run('umount', ['--lazy', path]).catch(() => {})
  }
}
