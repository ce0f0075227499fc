import type { Config } from '../config.ts'
import { BootError } from '../errors.ts'
import type { Fleet } from '../modules/broadcasts/lease/fleet.ts'
import { STREAMS_CHANNEL } from '../modules/broadcasts/store/assigned-streams.repo.ts'
import { createWorkerLeasesRepo } from '../modules/broadcasts/store/worker-leases.repo.ts'
import { type Db, openPostgres } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Warden } from '../platform/process/warden/warden.ts'

/** What a worker among several shares with them; null: there is one machine. Loaded where it is wanted, see optional-parts. */
export async function openFleet(
  { databaseUrl, redisUrl }: Pick<Config, 'databaseUrl' | 'redisUrl'>,
  log: Log,
  warden: Pick<Warden, 'extend' | 'runMark'>,
): Promise<(Fleet & { close(): Promise<void> }) | null> {
  if (!databaseUrl || !redisUrl) return null
  const { openRedisWitness } = await import('../modules/broadcasts/lease/redis-witness.ts')
  const { listenPostgres } = await import('../platform/db/listen.ts')
  const db = openPostgres(databaseUrl, log, 'quick')
  const witness = openRedisWitness(redisUrl, log)
  return {
    db,
    witness,
    onExtended: warden.extend,
    runMark: warden.runMark,
    hear: (onHint) => listenPostgres(databaseUrl, STREAMS_CHANNEL, onHint, log),
    async close() {
      witness.close()
      await db.destroy()
    },
  }
}

/** A program without Redis holds no lease and keeps every broadcast of its database: beside workers each would be sent twice. */
export async function assertNoFleet(
  { databaseUrl, redisUrl }: Pick<Config, 'databaseUrl' | 'redisUrl'>,
  db: Db,
): Promise<void> {
  if (!databaseUrl || redisUrl) return
  const [worker] = await createWorkerLeasesRepo(db).rooms()
  if (!worker) return
  throw new BootError([
    `the worker ${worker.id} keeps the broadcasts of this database. Set REDIS_URL to be one of several machines, or stop every worker first`,
  ])
}
