import { execFile } from 'node:child_process'
import { rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempDir } from './temp-dir.ts'

const run = promisify(execFile)

export type HangingDisk = {
  /** A process that writes from now on waits, and cannot even be killed. */
  hang(): Promise<void>
  goOn(): Promise<void>
  /** Takes all room. */
  fill(): Promise<void>
  makeRoom(): Promise<void>
  remove(): Promise<void>
}

/** A real disk in a folder that is there: a file with a file system in it. Answers why not where this machine lets nobody mount one. */
export async function mountHangingDisk(path: string, megabytes: number): Promise<HangingDisk | { refusal: string }> {
  const folder = await tempDir('hanging-disk')
  const image = join(folder.path, 'image')
  try {
    await writeFile(image, '')
    await truncate(image, megabytes * 1024 ** 2)
    await run('mkfs.ext4', ['-q', '-m', '0', image])
    await run('mount', ['-o', 'loop', image, path])
    await run('chmod', ['700', path])
  } catch (error) {
    await folder.remove()
    return { refusal: (error as Error).message.trim().split('\n').at(-1) ?? '' }
  }
  let hangs = false
  const ballast = join(path, 'ballast')
  const disk: HangingDisk = {
    async hang() {
      await run('fsfreeze', ['--freeze', path])
      hangs = true
    },
    async goOn() {
      if (hangs) await run('fsfreeze', ['--unfreeze', path])
      hangs = false
    },
    async fill() {
      const { bavail, bsize } = await statfs(path)
      await run('fallocate', ['--length', String(bavail * bsize), ballast])
    },
    makeRoom: () => rm(ballast, { force: true }),
    async remove() {
      await disk.goOn()
      await run('umount', ['--lazy', path])
      await folder.remove()
    },
  }
  return disk
}
