import { readlink, rm, symlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { BootError } from '../../errors.ts'
import { processBirth } from './detached.ts'

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Two programs that keep the broadcasts of one folder would take them from each other. The lock names its holder by pid and
 * birth, so that one which a crash left behind holds nobody up. It is a link that leads nowhere: of two that start together
 * one makes it, and it needs no room, so that a full disk does not keep a program that fell from coming back.
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const file = join(dataDir, `worker-${hostname()}.lock`)
  const mine = `${process.pid} ${processBirth(process.pid)}`
  const isTaken = (error: NodeJS.ErrnoException): boolean => {
    if (error.code === 'ENOENT') throw new BootError([`there is no ${dataDir}. Set DATA_DIR to the server's folder`])
    if (error.code !== 'EEXIST') throw error
    return false
  }
  while (!(await symlink(mine, file).then(() => true, isTaken))) {
    const [pid = '', birth] = (await readlink(file).catch(() => '')).split(' ')
    if (birth && birth === processBirth(Number(pid))) {
      throw new BootError([`DATA_DIR ${dataDir} is in use by another Siarin (process ${pid}). Stop that one first`])
    }
    await rm(file, { force: true })
  }
  return { release: () => rm(file, { force: true }) }
}
