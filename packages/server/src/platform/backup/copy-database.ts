import { execFile } from 'node:child_process'
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Secret } from '@siarin/media/secret'
import SqliteDatabase from 'better-sqlite3'
import { childEnv } from '../process/child-env.ts'
import { syncToDisk } from '../storage/durable.ts'
import { BackupError } from './backup-error.ts'

const run = promisify(execFile)

/** In one step: in several, each write of the running program would begin the copy anew. */
const ALL_PAGES = 0x7fff_ffff
const LOCK_WAIT_MS = 10_000
const TOOL_OUTPUT_BYTES = 16 * 1024 ** 2
const COPY_MAIN = join(import.meta.dirname, 'copy-sqlite-main.ts')

/** A copy as of one moment, with what still stands in the write-ahead log. The program may run and write meanwhile. */
export async function copySqlite(file: string, to: string): Promise<void> {
  const source = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS })
  try {
    await source.backup(to, { progress: () => ALL_PAGES })
  } finally {
    source.close()
  }
  const copy = new SqliteDatabase(to)
  try {
    if (copy.pragma('quick_check', { simple: true }) !== 'ok') throw new BackupError(`${file} is damaged: quick_check`)
    // It is one file, however it is copied on.
    copy.pragma('journal_mode = DELETE')
  } finally {
    copy.close()
  }
  await chmod(to, 0o600)
  await syncToDisk(to)
}

/** The same, in a process that is killed when it takes longer. */
export const copySqliteWithin = (timeoutMs: number, file: string, to: string): Promise<void> =>
  runTool(process.execPath, [COPY_MAIN, file, to], childEnv(), { timeoutMs, name: 'the copy' })

/** What the program's own connections go by, too, beside DATABASE_URL. */
const POSTGRES_SETTINGS = [
  ...['PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGPASSFILE'],
  ...['PGSSLMODE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'],
]
const toolEnv = (): NodeJS.ProcessEnv => ({
  ...childEnv(),
  ...Object.fromEntries(POSTGRES_SETTINGS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
})

/** PostgreSQL's own tools get the password by their environment: arguments can be read by every user of the machine. */
function toolCall(databaseUrl: Secret): { dbname: string; env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl.reveal())
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password)
  url.password = ''
  url.searchParams.delete('password')
  return { dbname: `--dbname=${url.href}`, env: { ...toolEnv(), ...(password ? { PGPASSWORD: password } : {}) } }
}

/** `timeoutMs`: 0 is for as long as it takes. */
async function runTool(
  tool: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  { timeoutMs = 0, name = tool } = {},
): Promise<void> {
  try {
    const running = run(tool, args, { env, maxBuffer: TOOL_OUTPUT_BYTES, timeout: timeoutMs, killSignal: 'SIGKILL' })
    // Whatever it wants to know, nobody is there to tell it.
    running.child.stdin?.end()
    await running
  } catch (error) {
    const { code, killed, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string; killed?: boolean }
    if (code === 'ENOENT') {
      throw new BackupError(`${tool} is not installed: apt-get install postgresql-client, of the server's version`)
    }
    if (killed && timeoutMs > 0) throw new BackupError(`${name} took longer than ${timeoutMs / 1000} s`)
    const [line = `it ended with ${code}`] = stderr.split('\n').filter((each) => /error|fatal/i.test(each))
    throw new BackupError(`${name} failed: ${line}`)
  }
}

/** As of one moment, in PostgreSQL's custom format; the program may run meanwhile. */
export async function dumpPostgres(databaseUrl: Secret, to: string, { timeoutMs = 0 } = {}): Promise<void> {
  const { dbname, env } = toolCall(databaseUrl)
  const manners = ['--no-password', `--lock-wait-timeout=${LOCK_WAIT_MS}`, '--no-owner', '--no-privileges']
  await runTool('pg_dump', ['--format=custom', ...manners, `--file=${to}`, dbname], env, { timeoutMs })
  await chmod(to, 0o600)
  await syncToDisk(to)
}

/** The rows of one table of a dump, as text. */
export const dumpedTable = (dump: string, table: string, to: string): Promise<void> =>
  runTool('pg_restore', ['--data-only', `--table=${table}`, `--file=${to}`, dump], childEnv())

/** All of it and the statements of `afterwards`, or nothing: nobody ever sees the one without the other. */
export async function fillPostgres(databaseUrl: Secret, dump: string, afterwards: string): Promise<void> {
  const { dbname, env } = toolCall(databaseUrl)
  const script = `${afterwards}.dump`
  try {
    await runTool('pg_restore', ['--no-owner', '--no-privileges', `--file=${script}`, dump], env)
    const quiet = [
      '--no-psqlrc',
      '--no-password',
      '--quiet',
      '--output=/dev/null',
      '--set=ON_ERROR_STOP=1',
      '--single-transaction',
    ]
    await runTool('psql', [...quiet, `--file=${script}`, `--file=${afterwards}`, dbname], env)
  } finally {
    await rm(script, { force: true })
  }
}
