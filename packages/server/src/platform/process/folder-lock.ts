import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { BootError } from '../../errors.ts'
import { processBirth } from './detached.ts'

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Two programs that keep the broadcasts of one folder would take them from each other. The lock names its holder by pid and
 * birth, so that one which a crash left behind holds nobody up.
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const file = join(dataDir, `worker-${hostname()}.lock`)
  const draft = `${file}.${process.pid}`
  const mine = `${process.pid} ${processBirth(process.pid)}`
  await writeFile(draft, mine)
  try {
    // A link appears only where nothing is: of two that start together one wins.
    while (!(await link(draft, file).then(() => true, isTaken))) {
      const [pid = '', birth] = (await readFile(file, 'utf8').catch(() => '')).split(' ')
      if (birth && birth === processBirth(Number(pid))) {
        throw new BootError([`DATA_DIR ${dataDir} is in use by another Siarin (process ${pid}). Stop that one first`])
      }
      await rm(file, { force: true })
    }
  } finally {
    await rm(draft, { force: true })
  }
  return { release: () => rm(file, { force: true }) }
}

function isTaken(error: NodeJS.ErrnoException): boolean {
  if (error.code !== 'EEXIST') throw error
  return false
}
