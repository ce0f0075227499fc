import { execFile } from 'node:child_process'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
