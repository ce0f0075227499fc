import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { type Postgres, startPostgres } from '@siarin/testkit/postgres'
import { childrenOf, cpuSeconds } from '@siarin/testkit/processes'
import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Db, migrate, openPostgres } from '../../../packages/server/src/platform/db/database.ts'
import { type Row, shared } from '../row.ts'

const MANY = 10_000
const FEW = 1_000
const WORKERS = 50
/** How many live in each of the processes: the first dies alone, then ten at once in the second. */
const CROWDS = [1, 10, 20, 19]
const ROOM = 400
/** Each worker has two pools and one that listens. */
const CONNECTIONS = WORKERS * 20
const SETTLE_MS = 15_000
const WINDOW_MS = 30_000
const PATIENT = { timeoutMs: 300_000, everyMs: 500 }
const MAIN = join(import.meta.dirname, '..', 'simulated-workers.ts')
const log = pino({ level: 'silent' })

interface Crowd {
  readonly child: ChildProcess
  readonly names: readonly string[]
}

interface Fleet {
  readonly db: Db
  readonly postgres: Postgres
  readonly redis: RedisServer
  readonly crowds: readonly Crowd[]
}

/** As the API would have written them, of one person. */
async function addStreams(db: Db, count: number): Promise<void> {
  await sql`
    insert into users (id, username, username_key, email, password_hash, api_key_hash, api_key_sealed, created_at)
    values ('u', 'u', 'u', 'u', 'h', 'h', 's', 1)`.execute(db)
  const numbers = sql`generate_series(1, cast(${count} as integer)) as n`
  await sql`
    insert into broadcasts (id, user_id, source, looping, slot, desired, created_at)
    select 'stream-' || n, 'u', 'klip.mp4', 1, n, 'live', n from ${numbers}`.execute(db)
  await sql`
    insert into streams (id, broadcast_id, user_id, platform, source, target_sealed, target_host, target_mark, looping,
      slot, desired, phase, state, created_at)
    select 'stream-' || n, 'stream-' || n, 'u', 'lain', 'klip.mp4', 'sealed', 'host', 'mark-' || n, 1, n, 'live',
      'live', '{"at":"live"}', n from ${numbers}`.execute(db)
  await sql`analyze`.execute(db)
}

async function withFleet<T>(streams: number, use: (fleet: Fleet) => Promise<T>): Promise<T> {
  await using props = new AsyncDisposableStack()
  const postgres = await startPostgres({ keepsPromises: true, connections: CONNECTIONS })
  props.defer(() => postgres.stop())
  const redis = await startRedis()
  props.defer(() => redis.stop())
  const databaseUrl = await postgres.createDatabase()
  const db = openPostgres(new Secret(databaseUrl), log)
  props.defer(() => db.destroy())
  await migrate(db)
  let named = 0
  const crowds = CROWDS.map((count): Crowd => {
    const names = Array.from({ length: count }, () => `worker-${++named}`)
    const told = JSON.stringify({ databaseUrl, redisUrl: redis.url, names, maxStreams: ROOM })
    const child = fork(MAIN, [told])
    props.defer(() => void child.kill('SIGKILL'))
    return { child, names }
  })
  if (named !== WORKERS) throw new Error(`there are ${named} workers`)
  const fleet = { db, postgres, redis, crowds }
  // Otherwise the first worker would have it all.
  await waitFor('all workers', async () => (await live(fleet)) === WORKERS, PATIENT)
  await addStreams(db, streams)
  await waitFor('every stream to be kept', async () => (await kept(fleet)) === streams, PATIENT)
  return await use(fleet)
}

const live = async ({ db }: Fleet): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from worker_leases where incarnation is not null`.execute(db)
  return rows[0]?.n ?? 0
}

const kept = async ({ db }: Fleet, names?: readonly string[]): Promise<number> => {
  const some = names ? sql`and worker in (${sql.join(names)})` : sql`and worker is not null`
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from streams where phase <> 'ended' ${some}`.execute(db)
  return rows[0]?.n ?? 0
}

async function controlPlaneSeconds({ postgres, redis, crowds }: Fleet): Promise<number> {
  const servers = [postgres.pid, redis.pid, ...(await childrenOf(postgres.pid)).map(({ pid }) => pid)]
  const pids = [...servers, ...crowds.map(({ child }) => child.pid ?? 0)]
  const used = await Promise.all(pids.map((pid) => cpuSeconds(pid).catch(() => 0)))
  return used.reduce((sum, seconds) => sum + seconds, 0)
}

interface Told {
  readonly beatsMs: number[]
  readonly kept: number
}

const isAlive = ({ child }: Crowd): boolean => child.exitCode === null && child.signalCode === null

async function toldBy({ crowds }: Fleet): Promise<Told[]> {
  const told = crowds.filter(isAlive).map(async ({ child }): Promise<Told> => {
    const answer = once(child, 'message')
    child.send('tell')
    return (await answer)[0] as Told
  })
  return Promise.all(told)
}

const beatsOf = async (fleet: Fleet): Promise<number[]> =>
  (await toldBy(fleet)).flatMap(({ beatsMs }) => beatsMs).sort((a, b) => a - b)

const keptByAll = async (fleet: Fleet): Promise<number> =>
  (await toldBy(fleet)).reduce((sum, { kept: some }) => sum + some, 0)

/** Seconds until others have all that the workers of this process had: by the rows, and by what they say they keep. */
async function secondsUntilClaimed(fleet: Fleet, { child, names }: Crowd, streams: number): Promise<number> {
  const begun = performance.now()
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  const isOver = async (): Promise<boolean> => (await kept(fleet, names)) === 0 && (await keptByAll(fleet)) === streams
  await waitFor('others to have it all', isOver, { ...PATIENT, everyMs: 50 })
  return (performance.now() - begun) / 1000
}

const measureFleet = (streams: number) =>
  withFleet(streams, async (fleet) => {
    await sleep(SETTLE_MS)
    await beatsOf(fleet)
    const before = await controlPlaneSeconds(fleet)
    await sleep(WINDOW_MS)
    const percent = (100 * ((await controlPlaneSeconds(fleet)) - before)) / (WINDOW_MS / 1000)
    const beats = await beatsOf(fleet)
    const [alone, ten] = fleet.crowds
    if (!alone || !ten) throw new Error('there is nobody to kill')
    const one = await secondsUntilClaimed(fleet, alone, streams)
    await sleep(SETTLE_MS)
    return {
      perStream: percent / streams,
      beatMs: beats[Math.floor(beats.length * 0.99)] ?? Number.NaN,
      one,
      ten: await secondsUntilClaimed(fleet, ten, streams),
    }
  })

const measured = shared(async () => ({ few: await measureFleet(FEW), many: await measureFleet(MANY) }))
type Figure = keyof Awaited<ReturnType<typeof measureFleet>>
const both = (figure: Figure) => async () => {
  const { few, many } = await measured()
  return { ours: many[figure], yardstick: few[figure] }
}
const yardstick = `${FEW} streams`
const of = `${WORKERS} workers with ${MANY} streams`

export const machineRows: readonly Row[] = [
  {
    name: `machines: CPU of PostgreSQL, Redis and workers for each stream, ${of}`,
    unit: '% of a core',
    yardstick,
    wanted: { ratioAtMost: 1.2 },
    measure: both('perStream'),
  },
  {
    name: `machines: a beat, 99th percentile, ${of}`,
    unit: 'ms',
    yardstick,
    wanted: { atMost: 1_500 },
    measure: both('beatMs'),
  },
  {
    name: `machines: all of 1 dead worker claimed, ${of}`,
    unit: 's',
    yardstick,
    wanted: { atMost: 10 },
    measure: both('one'),
  },
  {
    name: `machines: all of 10 dead workers claimed, ${of}`,
    unit: 's',
    yardstick,
    wanted: { atMost: 10 },
    measure: both('ten'),
  },
]
