import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../config.ts'
import { BootError } from '../errors.ts'
import type { Log } from '../platform/log.ts'
import { ENDS_WITH_PARENT, SETPRIV } from '../platform/process/warden/guard.ts'
import { openWarden, type Warden } from '../platform/process/warden/warden.ts'

const NEEDS_SETPRIV =
  'setpriv cannot be run. With DATABASE_URL and REDIS_URL other machines may take over a broadcast, and then the kernel must end its ffmpeg here: install util-linux (on Linux)'
const SOCKET_PATH_BYTES = 107

/** Where other machines may take over what this one keeps. */
export const isFenced = ({ role, databaseUrl, redisUrl }: Pick<Config, 'role' | 'databaseUrl' | 'redisUrl'>): boolean =>
  role !== 'web' && databaseUrl !== null && redisUrl !== null

export async function assertFenceable(): Promise<void> {
  await promisify(execFile)(SETPRIV, [...ENDS_WITH_PARENT, 'true']).catch(() => {
    throw new BootError([NEEDS_SETPRIV])
  })
}

/** The warden of this worker. What it starts may run for as long as the worker's lease says. */
export async function openFence(deps: { runDir: string; dataDir: string; log: Log }): Promise<Warden> {
  const directory = join(deps.runDir, 'warden')
  if (Buffer.byteLength(join(directory, 'socket')) > SOCKET_PATH_BYTES) {
    throw new BootError([`DATA_DIR ${deps.dataDir} is too long a path, and /dev/shm cannot be used instead`])
  }
  return openWarden({ ...deps, directory })
}
