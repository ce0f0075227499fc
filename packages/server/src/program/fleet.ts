import type { Config } from '../config.ts'
import type { Fleet } from '../modules/broadcasts/lease/fleet.ts'
import { STREAMS_CHANNEL } from '../modules/broadcasts/store/assigned-streams.repo.ts'
import { openPostgres } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Warden } from '../platform/process/warden/warden.ts'

/** What a worker among several shares with them; null: there is one machine. Loaded where it is wanted, see optional-parts. */
export async function openFleet(
  { databaseUrl, redisUrl, watchdogMs }: Pick<Config, 'databaseUrl' | 'redisUrl' | 'watchdogMs'>,
  log: Log,
  warden: Pick<Warden, 'extend' | 'runMark' | 'deadlinePath'>,
): Promise<(Fleet & { close(): Promise<void> }) | null> {
  if (!databaseUrl || !redisUrl) return null
  const { openRedisWitness } = await import('../modules/broadcasts/lease/redis-witness.ts')
  const { startBeatThread } = await import('../modules/broadcasts/lease/start-beat-thread.ts')
  const { listenPostgres } = await import('../platform/db/listen.ts')
  const db = openPostgres(databaseUrl, log, 'quick')
  const witness = openRedisWitness(redisUrl, log)
  return {
    db,
    witness,
    startBeats: (of) =>
      startBeatThread({ ...of, databaseUrl, redisUrl, deadlinePath: warden.deadlinePath, watchdogMs, log }),
    onExtended: warden.extend,
    runMark: warden.runMark,
    hear: (onHint) => listenPostgres(databaseUrl, STREAMS_CHANNEL, onHint, log),
    async close() {
      witness.close()
      await db.destroy()
    },
  }
}
