import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { findProgram, type Service, startService, waitUntilUp } from './service-process.ts'
import { tempDir } from './temp-dir.ts'

export type Postgres = {
  /** The database that is always there; `createDatabase` gives each test one of its own. */
  url: string
  /** Where its processes work. */
  folder: string
  readonly pid: number
  createDatabase(): Promise<string>
  /** Ends at once, as by a crash, and comes back on the same port. */
  restartAtOnce(): Promise<void>
  stop(): Promise<void>
}

export type PostgresDatabase = { url: string; drop(): Promise<void> }

const run = promisify(execFile)
const VERSIONS = '/usr/lib/postgresql'
const SUPERUSER = 'postgres'

/** Durability is what makes a database slow, and this one lives for the length of a test. */
const CAREFREE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']

/** `keepsPromises`: what it has confirmed is there after a crash of its own. */
export async function startPostgres({ keepsPromises = false, connections = 400 } = {}): Promise<Postgres> {
  const bin = await binFolders()
  const dir = await tempDir('postgres')
  const data = join(dir.path, 'data')
  const port = await freePort()
  const user = await serverUser(data)

  const initdb = [
    findProgram('initdb', bin),
    '-D',
    data,
    '-U',
    SUPERUSER,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
  ]
  const [file = '', ...args] = user ? ['setpriv', '--reuid', user, '--regid', user, '--init-groups', ...initdb] : initdb
  await run(file, args, { cwd: dir.path })

  const settings = [
    ...CAREFREE,
    ...(keepsPromises ? ['synchronous_commit=on', 'full_page_writes=on'] : []),
    `max_connections=${connections}`,
    ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`],
  ]
  const url = `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`
  const launch = async (): Promise<Service> => {
    const launched = await startService({
      command: findProgram('postgres', bin),
      args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      cwd: dir.path,
      ...(user ? { user } : {}),
      deathSignal: 'QUIT',
    })
    await waitUntilUp('postgres', launched, () => psql(url, 'select 1').then(() => true))
    return launched
  }
  let service = await launch()

  return {
    url,
    folder: dir.path,
    get pid() {
      return service.pid
    },
    createDatabase: async () => (await createDatabase(url)).url,
    async restartAtOnce() {
      await service.stop('SIGQUIT')
      service = await launch()
    },
    async stop() {
      // SIGQUIT is PostgreSQL's immediate shutdown: nothing here is worth a checkpoint.
      await service.stop('SIGQUIT')
      await dir.remove()
    },
  }
}

/** A database of its own on a running server: empty, or a copy of `template`, to which nobody may be connected. */
export async function createDatabase(serverUrl: string, template?: string): Promise<PostgresDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await psql(serverUrl, `create database ${name}${template ? ` template ${template}` : ''}`)
  return {
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href,
    drop: () => psql(serverUrl, `drop database ${name} with (force)`),
  }
}

async function psql(url: string, sql: string): Promise<void> {
  await run(findProgram('psql', await binFolders()), ['-X', '-q', '-d', url, '-c', sql])
}

/** Debian keeps the server's programs off the PATH, a folder for each version; the newest comes first. */
async function binFolders(): Promise<string[]> {
  const versions = await readdir(VERSIONS).catch(() => [])
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(VERSIONS, version, 'bin'))
}

/** PostgreSQL refuses to run as root: it then runs as the user that its package made. */
async function serverUser(data: string): Promise<string | null> {
  await mkdir(data, { mode: 0o700 })
  if (process.getuid?.() !== 0) return null
  const { stdout } = await run('id', ['-u', SUPERUSER])
  const { stdout: group } = await run('id', ['-g', SUPERUSER])
  await chown(data, Number(stdout), Number(group))
  return (await stat(data)).uid === 0 ? null : SUPERUSER
}
