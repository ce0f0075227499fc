import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import type { Config } from '../config.ts'
import { prepareCacheDir } from './data-dir.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import { createInProcessQueue } from './queue/in-process.ts'
import type { Queue } from './queue/queue.ts'
import type { SharedCounters } from './shared-counters.ts'
import { createLocalStorage } from './storage/local.ts'
import type { Storage } from './storage/storage.ts'
import type { Timings } from './timings.ts'

/*
 * Parts that only some installations have. Each is loaded where it is wanted: they bring a third of all modules along, which
 * take their time at every start and their memory ever after.
 */

export async function openQueue(redisUrl: Secret | null, log: Log, { queueLockMs }: Timings): Promise<Queue> {
  if (!redisUrl) return createInProcessQueue({ log })
  const [{ createBullMqQueue }, { greetRedis }] = await Promise.all([
    import('./queue/bullmq.ts'),
    import('./queue/greet-redis.ts'),
  ])
  await greetRedis(redisUrl)
  return createBullMqQueue({ redisUrl, log, lockMs: queueLockMs })
}

export async function openCounters(redisUrl: Secret | null, log: Log): Promise<SharedCounters | null> {
  if (!redisUrl) return null
  const { openSharedCounters } = await import('./shared-counters.ts')
  return openSharedCounters(redisUrl, log)
}

export async function openMailer(mail: Config['mail'], log: Log, timings: Timings): Promise<Mailer | null> {
  if (!mail) return null
  const { createMailer } = await import('./mail/mailer.ts')
  return createMailer({ ...mail, log, timings })
}

type StorageSettings = Pick<Config, 's3' | 'cache' | 'role' | 'dataDir' | 'diskReserveBytes'>

export async function openStorage(config: StorageSettings, log: Log): Promise<Storage> {
  const { s3, cache, role, dataDir, diskReserveBytes: reserveBytes } = config
  if (!s3) return createLocalStorage(join(dataDir, 'media'))
  // Each program of a machine has its own: one would clear away what another plays.
  const folder = join(cache.dir, role)
  await prepareCacheDir(cache.dir, folder)
  const { blocks, bsize } = await statfs(folder)
  const maxBytes = cache.maxBytes ?? (blocks * bsize) / 2
  const { openS3Storage } = await import('./storage/open-s3.ts')
  return openS3Storage({ settings: s3, cache: { folder, maxBytes, reserveBytes }, keepsPut: role !== 'web', log })
}
