import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { BootError } from '../errors.ts'
import { createWorkerLeasesRepo } from '../modules/broadcasts/store/worker-leases.repo.ts'
import { createWorkersRepo } from '../modules/broadcasts/store/workers.repo.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'

/** A program tells every 2 s that it is there: who has said nothing new by then has ended. */
const SIGN_OF_LIFE_MS = 5_000
const LOOK_EVERY_MS = 500

interface Keeper {
  readonly config: Pick<Config, 'databaseUrl' | 'redisUrl' | 'role'>
  readonly db: Db
  readonly workerId: string
  readonly clock: Clock
}

/** A program without Redis holds no lease and keeps every broadcast of its database: beside another one, each would be sent twice. */
export async function assertOnlyKeeper({ config, db, workerId, clock }: Keeper): Promise<void> {
  const { databaseUrl, redisUrl, role } = config
  if (!databaseUrl || role === 'web') return
  const [worker] = redisUrl ? [] : await createWorkerLeasesRepo(db).rooms()
  if (worker) {
    throw new BootError([
      `the worker ${worker.id} keeps the broadcasts of this database. Set REDIS_URL to be one of several machines, or stop every worker first`,
    ])
  }
  const alone = await livesAlone(db, workerId, clock)
  if (alone === null) return
  throw new BootError([
    `the server ${alone} keeps the broadcasts of this database alone. Stop it first: one of several machines needs REDIS_URL`,
  ])
}

/** Which other program keeps all of this database's broadcasts; null: none. By what it says anew: the clocks of two machines may differ. */
async function livesAlone(db: Db, workerId: string, clock: Clock): Promise<string | null> {
  const workers = createWorkersRepo(db)
  const before = await workers.alone(workerId, clock.now())
  for (let waitedMs = 0; before.size > 0 && waitedMs < SIGN_OF_LIFE_MS; waitedMs += LOOK_EVERY_MS) {
    await sleep(LOOK_EVERY_MS)
    for (const [name, seenAt] of await workers.alone(workerId, clock.now())) {
      if (before.has(name) && before.get(name) !== seenAt) return name
    }
  }
  return null
}
