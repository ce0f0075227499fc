import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { type FaultyLine, type LineMode, openFaultyLine } from '@siarin/testkit/faulty-line'
import { type Machine, startMachine } from '@siarin/testkit/machine'
import type { Postgres } from '@siarin/testkit/postgres'
import type { RedisServer } from '@siarin/testkit/redis'
import { openReferee, type Referee } from '@siarin/testkit/referee'
import { type Settings, type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { migrate, openPostgres } from '../../src/platform/db/database.ts'
import { operatorAt } from './operator.ts'
import { personWithVideo } from './program.ts'
import { streamCalls } from './streams.ts'

export type Store = 'postgres' | 'redis' | 's3'
type Lines = Partial<Record<Store, FaultyLine>>
export interface WorkerMachine extends Machine {
  readonly lines: Lines
}

interface MachineSetOptions {
  readonly workers: number
  readonly streams: number
  readonly databaseUrl: string
  /** A database on it, where the whole server is not the set's own. */
  readonly redisUrl?: string
  /** Servers of the set's own: cases do harm to them. */
  readonly postgres?: Postgres
  readonly redis?: RedisServer
  /** Which version the workers begin with. */
  readonly main?: string
  /** With it no folder is shared. */
  readonly s3?: Settings & { readonly S3_ENDPOINT: string }
}

export type MachineSet = Awaited<ReturnType<typeof openMachineSet>>

/** What a test may do to a program from outside. */
const SEAMS = ['moved-clock.mjs', 'stand-still.ts'].flatMap((file) => ['--import', join(import.meta.dirname, file)])
/** Longer than any promise: what comes late fails with its figure. */
const PATIENT = { timeoutMs: 60_000 }
const RESTORED_WITHIN = { timeoutMs: 45_000 }

const through = (url: string, line: FaultyLine): string =>
  Object.assign(new URL(url), { host: `127.0.0.1:${line.port}` }).href

/** A worker's machine with a line of its own to each store. */
async function startWorker(
  name: string,
  env: Settings,
  rest: { dataDir?: string; main?: string },
): Promise<WorkerMachine> {
  const lineTo = async (setting: string): Promise<FaultyLine | null> => {
    const url = env[setting]
    return url === undefined ? null : openFaultyLine(Number(new URL(url).port))
  }
  const [postgres, redis, s3] = await Promise.all([lineTo('DATABASE_URL'), lineTo('REDIS_URL'), lineTo('S3_ENDPOINT')])
  const lines: Lines = { ...(postgres && { postgres }), ...(redis && { redis }), ...(s3 && { s3 }) }
  const own: Settings = {
    ...{ ROLE: 'worker', WORKER_ID: name },
    ...(postgres && { DATABASE_URL: through(env['DATABASE_URL'] ?? '', postgres) }),
    ...(redis && { REDIS_URL: through(env['REDIS_URL'] ?? '', redis) }),
    ...(s3 && { S3_ENDPOINT: through(env['S3_ENDPOINT'] ?? '', s3) }),
  }
  const machine = await startMachine({ name, flags: SEAMS, env: { ...env, ...own }, ...rest })
  const dispose = machine.dispose
  return Object.assign(machine, {
    lines,
    async dispose() {
      await dispose()
      for (const line of Object.values(lines)) await line.close()
    },
  })
}

/** So many workers on machines of their own, one web machine beside them, and broadcasts that a referee watches. */
export async function openMachineSet(options: MachineSetOptions) {
  await using building = new AsyncDisposableStack()
  const folder = await tempDir('machines')
  building.defer(() => folder.remove())
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3.2, times: 40 })
  const referee: Referee = await openReferee()
  building.defer(() => referee.close())
  await migrateFirst(options.databaseUrl)
  const shared = options.s3 ? null : join(folder.path, 'data')
  const env: Settings = {
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl ?? options.redis?.url ?? '',
    APP_SECRET: 'shared by all the machines',
    ...(options.s3 ?? { SHARED_DATA_DIR: 'true' }),
  }
  const web: Siarin = await startSiarin({
    env: { ...env, ROLE: 'web', WORKER_ID: 'web-1' },
    dataDir: shared ?? join(folder.path, 'web'),
  })
  building.defer(() => web.dispose())
  const rest = { ...(shared && { dataDir: shared }), ...(options.main && { main: options.main }) }
  const names = Array.from({ length: options.workers }, (_, index) => `machine-${index + 1}`)
  const machines = await Promise.all(
    names.map(async (name) => building.adopt(await startWorker(name, env, rest), (machine) => machine.dispose())),
  )
  const { apiKey } = await personWithVideo(web.url, clip)
  const calls = streamCalls(web.url, referee.rtmp)
  const keys = Array.from({ length: options.streams }, (_, index) => `key-${index + 1}`)
  const db = openPostgres(new Secret(options.databaseUrl), pino({ level: 'silent' }))
  building.defer(() => db.destroy())
  const props = building.move()

  const start = async (key: string): Promise<string> => {
    const { status, body } = await calls.start(apiKey, key)
    if (status !== 200) throw new Error(`${key} could not be started: ${body.message}`)
    return body.streamId
  }
  /** Which machine sends each key, by the processes that run on it. */
  const holders = (): Map<string, string[]> => {
    const all = new Map<string, string[]>()
    for (const machine of machines) {
      for (const args of machine.ffmpegs()) {
        const key = args.at(-1)?.split('/').at(-1) ?? ''
        if (args.at(-1)?.startsWith('rtmp:')) all.set(key, [...(all.get(key) ?? []), machine.name])
      }
    }
    return all
  }
  const heldBy = (machine: WorkerMachine, by = holders()): string[] =>
    keys.filter((key) => by.get(key)?.includes(machine.name))
  const isSettled = async (): Promise<boolean> => {
    if (!keys.every((key) => referee.sending(key).length === 1)) return false
    const active = await calls.active(apiKey)
    return active.filter(({ state }) => state === 'live').length === keys.length
  }
  const settled = (wait = PATIENT) => waitFor('one publisher at each key, and all live', isSettled, wait)
  const setLines = (stores: readonly Store[], mode: LineMode, of: readonly WorkerMachine[] = machines): void => {
    for (const { lines } of of) for (const store of stores) lines[store]?.set(mode)
  }

  /** All on and running, every line whole, every broadcast on air: also after a case that went wrong. */
  async function restore(): Promise<void> {
    setLines(['postgres', 'redis', 's3'], 'pass')
    for (const machine of machines) {
      await machine.setClock(0)
      if (!machine.isOn()) await machine.switchOn()
      else if (!machine.isRunning()) await machine.startProgram()
      else if (machine.warden()) await machine.signal('both', 'SIGCONT')
      else await machine.signal('program', 'SIGCONT')
    }
    await settled(RESTORED_WITHIN).catch(async () => {
      for (const machine of machines) {
        await machine.switchOff()
        for (const line of Object.values(machine.lines)) line.renew()
        await machine.switchOn()
      }
      await settled()
    })
  }

  for (const key of keys) await start(key)
  await settled()
  return {
    ...{ web, env, machines, referee, keys, apiKey, calls, start, holders, heldBy, settled, setLines, restore },
    postgres: options.postgres ?? null,
    redis: options.redis ?? null,
    rowOf: (streamId: string) =>
      db.selectFrom('streams').selectAll().where('id', '=', streamId).executeTakeFirstOrThrow(),
    /** Which run of a worker's program holds its lease. */
    incarnationOf: async (worker: string): Promise<string | null> =>
      (await db.selectFrom('worker_leases').select('incarnation').where('id', '=', worker).executeTakeFirstOrThrow())
        .incarnation,
    operator: operatorAt({ ...env, DATA_DIR: web.dataDir }),
    /** The one that has most to lose. */
    busiest: (): WorkerMachine => {
      const by = holders()
      const [first] = [...machines].sort((a, b) => heldBy(b, by).length - heldBy(a, by).length)
      if (!first) throw new Error('there is no machine')
      return first
    },
    [Symbol.asyncDispose]: () => props.disposeAsync(),
  }
}

async function migrateFirst(url: string): Promise<void> {
  const db = openPostgres(new Secret(url), pino({ level: 'silent' }))
  await migrate(db)
  await db.destroy()
}
