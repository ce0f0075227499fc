import { parentPort, workerData } from 'node:worker_threads'
import { Secret } from '@siarin/media/secret'
import { Kysely, PostgresDialect } from 'kysely'
import { openPostgresPool } from '../../../platform/db/postgres-pool.ts'
import type { Database } from '../../../platform/db/schema.ts'
import type { Log } from '../../../platform/log.ts'
import { openDeadlineFile } from '../../../platform/process/warden/deadline.ts'
import { createWorkerLeasesRepo } from '../store/worker-leases.repo.ts'
import type { FromThread, ThreadSettings, ToThread } from './beat-messages.ts'
import { createBeats } from './beats.ts'
import { openRedisWitness } from './redis-witness.ts'
import { openSharedHold } from './shared-hold.ts'

/** The first file of a thread that does nothing but renew a worker's lease: what the program does meanwhile holds up no beat. */
const { worker, databaseUrl, redisUrl, deadlinePath, mostUnheard } = workerData as ThreadSettings

const say = (message: FromThread): void => parentPort?.postMessage(message)
/** By the program, which may be standing still: a thread that writes itself would wait for the reader of the log. */
const logAt = (level: 'debug' | 'warn') => (fields: object, text: string) => say({ type: 'log', level, fields, text })
const log = { debug: logAt('debug'), warn: logAt('warn') } as unknown as Log

const pool = openPostgresPool(new Secret(databaseUrl), log, 'beats')
const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
const deadline = openDeadlineFile(deadlinePath)

const beats = createBeats({
  ...{ worker, mostUnheard, log },
  repo: createWorkerLeasesRepo(db),
  witness: openRedisWitness(new Secret(redisUrl), log),
  extend: (untilMonotonicMs) => void deadline.extend(Number(untilMonotonicMs)),
  onState: (incarnation, state) => say({ type: 'state', incarnation, state }),
})

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'tell') beats.tell(message.told)
  else beats.keep(openSharedHold(message.incarnation, message.buffer), message.told)
})
say({ type: 'ready' })
