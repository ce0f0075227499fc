import { join } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { BootError, OperationalError } from '../../errors.ts'
import type { Log } from '../log.ts'
import { type Changes, createChanges } from './changes.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createDatabaseReserve } from './database-reserve.ts'
import { FairPostgresDialect } from './fair-postgres.ts'
import { migrations } from './migrations.ts'
import { PatientSqliteDialect, SQLITE_WAIT_MS } from './patient-sqlite.ts'
import type { PostgresManners } from './postgres-pool.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>

interface SqliteManners {
  /** For how long a call may stand still, with all of its program, while another program writes. */
  readonly waitMs: number
  /** FULL: what is written outlives a power cut at once; see keep-written.ts for the other. */
  readonly synchronous: 'NORMAL' | 'FULL'
  /** A thread takes what was written from the log into the file, see checkpoints.ts. */
  readonly hasThread?: boolean
}

/** What each of the two connections may keep in memory of the file. */
const CACHE_KB_EACH = 8_000
const SHORT_MANNERS: SqliteManners = { waitMs: SQLITE_WAIT_MS, synchronous: 'NORMAL' }
export const PROGRAM_MANNERS: SqliteManners = { ...SHORT_MANNERS, hasThread: true }
/** The person who runs a command can wait, and nobody waits for that program. */
export const COMMAND_MANNERS: SqliteManners = { waitMs: 10_000, synchronous: 'FULL' }

/** `changes`: for who remembers what it read there. */
export function openSqlite(file: string, manners = SHORT_MANNERS, changes = createChanges()): Db {
  const { waitMs, synchronous, hasThread = false } = manners
  const writer = new SqliteDatabase(file)
  const reserve = createDatabaseReserve(file)
  reserve.ensureRoom()
  writer.pragma(`busy_timeout = ${waitMs}`)
  writer.pragma('journal_mode = WAL')
  writer.pragma(`synchronous = ${synchronous}`)
  writer.pragma('foreign_keys = ON')
  changes.hearOthers(changesOfOthers(writer))
  const reader = new SqliteDatabase(file, { readonly: true, timeout: waitMs })
  for (const each of [writer, reader]) each.pragma(`cache_size = -${CACHE_KB_EACH}`)
  const checkpoints = hasThread ? createCheckpoints(writer, file) : null
  return new Kysely<Database>({ dialect: new PatientSqliteDialect({ writer, reader, checkpoints }, reserve, changes) })
}

/** A number that SQLite changes with every commit of another connection. One that cannot be read counts as another one. */
function changesOfOthers(sqlite: SqliteDatabase.Database): () => number {
  const statement = sqlite.prepare('pragma data_version').pluck()
  let unreadable = 0
  return () => {
    try {
      return Number(statement.get())
    } catch {
      return --unreadable
    }
  }
}

export function openPostgres(url: Secret, log: Log, manners?: PostgresManners, changes: Changes = createChanges()): Db {
  const dialect = new (manners === undefined ? FairPostgresDialect : PostgresDialect)({
    // Loaded where it is wanted, see optional-parts.
    pool: async () => (await import('./postgres-pool.ts')).openPostgresPool(url, log, manners),
  })
  const createDriver = dialect.createDriver.bind(dialect)
  dialect.createDriver = () => changes.watch(createDriver())
  return new Kysely<Database>({ dialect })
}

export const openDatabase = (
  databaseUrl: Secret | null,
  dataDir: string,
  log: Log,
  manners?: SqliteManners,
  changes?: Changes,
): Db =>
  databaseUrl
    ? openPostgres(databaseUrl, log, undefined, changes)
    : openSqlite(join(dataDir, 'siarin.db'), manners, changes)

/** For the operator: which database it is, and what is wrong with it. */
export function unusableDatabase(databaseUrl: Secret | null, dataDir: string, error: unknown): BootError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
  const { code, message } = cause as NodeJS.ErrnoException
  if (!databaseUrl) return new BootError([`the database in ${dataDir} cannot be used (${code ?? message})`])
  // PostgreSQL's own words: a number such as 28P01 tells nobody that the password is wrong.
  const said = [code, message].filter(Boolean).join(': ').replaceAll(/\s+/g, ' ')
  return new BootError([`DATABASE_URL: the database cannot be used (${withoutPassword(said, databaseUrl)})`])
}

function withoutPassword(text: string, databaseUrl: Secret): string {
  const { password = '' } = URL.parse(databaseUrl.reveal()) ?? {}
  const forms = [password, decoded(password)].filter(Boolean)
  return forms.reduce((clean, form) => clean.replaceAll(form, '[secret]'), text)
}

/** As it is where it is no code: the address was taken all the same. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const migratorOf = (db: Db): Migrator => new Migrator({ db, provider: { getMigrations: async () => migrations } })

/** Whether the tables are those that this program knows. Looks only. */
export async function compareSchema(db: Db): Promise<'ours' | 'older' | 'newer' | 'empty'> {
  const { executed, pending } = await schemaState(db)
  if (executed.length === 0) return 'empty'
  if (executed.some((name) => !knowsMigration(name))) return 'newer'
  return pending.length === 0 ? 'ours' : 'older'
}

/** The migrations that the database has, of whatever version, and those that this program would add. */
export async function schemaState(db: Db): Promise<{ executed: string[]; pending: string[] }> {
  const executed = await executedMigrations(db)
  const has = new Set(executed)
  return { executed, pending: Object.keys(migrations).filter((name) => !has.has(name)) }
}

/** Kysely's own question looks through every table of the database, at every start. */
async function executedMigrations(db: Db): Promise<string[]> {
  const table = isPostgres(db)
    ? sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`
    : sql<{ name: string | null }>`select name from sqlite_master where type = 'table' and name = 'kysely_migration'`
  const [found] = (await table.execute(db)).rows
  if (!found?.name) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

export const knowsMigration = (name: string): boolean => name in migrations

export async function migrate(db: Db): Promise<string[]> {
  const { error, results } = await migratorOf(db).migrateToLatest()
  if (error) throw new OperationalError('the database could not be migrated', { cause: error })
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Several statements together or not at all: in a transaction of their own, or in the caller's. */
export const atomically = <T>(db: Db, change: (inside: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? change(db) : db.transaction().execute(change)

/** A row names another that is not there, or not any more. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error && ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'].includes((error as { code?: string }).code ?? '')

/** The constraint or column that a duplicate hit, or null when the error is another one. */
export function uniqueViolation(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code, constraint } = error as Error & { code?: string; constraint?: string }
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return error.message
  if (code === '23505') return constraint ?? error.message
  return null
}
