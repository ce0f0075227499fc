import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { BootError } from '../../errors.ts'
import { type Db, migrate, schemaState } from '../db/database.ts'
import { syncToDisk } from '../storage/durable.ts'
import { BackupError } from './backup-error.ts'
import { DATABASE_FILES } from './manifest.ts'

/** Kysely's own tables, which `migrate` fills. */
const BOOKKEEPING = ['kysely_migration', 'kysely_migration_lock']
/** PostgreSQL takes 65,535 values with one statement. */
const VALUES_AT_ONCE = 20_000
const ROWS_AT_ONCE = 500
/** What the file is called once its rows are elsewhere. */
export const MOVED = `${DATABASE_FILES.sqlite}.moved`

/**
 * Whether the rows of this folder are elsewhere now. A program that made an empty database there would greet every user as a stranger, and
 * its journal would spoil the old file on the way back.
 */
export const isMoved = (dataDir: string): boolean =>
  existsSync(join(dataDir, MOVED)) && !existsSync(join(dataDir, DATABASE_FILES.sqlite))

export function assertNotMoved({ databaseUrl, dataDir }: { databaseUrl: Secret | null; dataDir: string }): void {
  if (databaseUrl || !isMoved(dataDir)) return
  throw new BootError([
    `the database of DATA_DIR ${dataDir} was moved to PostgreSQL: set DATABASE_URL to that. Only to go back to how it was before the move, rename ${MOVED} to ${DATABASE_FILES.sqlite}`,
  ])
}

interface Column {
  readonly name: string
  readonly isWhole: boolean
}

type Value = string | number | null

/**
 * Every row of SQLite into a PostgreSQL that has none yet: all of them or nothing. `to` waits for as long as it takes. Answers how many
 * rows went, by table.
 */
export async function moveToPostgres(dataDir: string, to: Db): Promise<Map<string, number>> {
  const file = join(dataDir, DATABASE_FILES.sqlite)
  const from = new SqliteDatabase(file, { fileMustExist: true })
  try {
    await assertSameSchema(from, to)
    await migrate(to)
    const moved = await to.transaction().execute(async (inside) => {
      const counts = await moveRows(from, inside)
      // Nothing of the old machine runs any more: workers would wait for half a minute to be sure of that.
      await sql`update streams set worker = null, pid = null, pid_birth = null where phase <> 'ended'`.execute(inside)
      return counts
    })
    from.pragma('wal_checkpoint(TRUNCATE)')
    from.close()
    await rename(file, join(dataDir, MOVED))
    await syncToDisk(dataDir)
    return moved
  } finally {
    from.close()
  }
}

/** Both in the form of this program: a table or column that only one of them has could not be copied. */
async function assertSameSchema(from: SqliteDatabase.Database, to: Db): Promise<void> {
  const rows = from.prepare('select name from kysely_migration').pluck().all() as string[]
  const { executed, pending } = await schemaState(to)
  const known = new Set([...executed, ...pending])
  if (rows.length !== known.size || rows.some((name) => !known.has(name))) {
    throw new BackupError('the database in DATA_DIR is of another version. Start the server of this version on it once')
  }
  // A try that broke off leaves the tables, and nothing in them.
  for (const table of executed.length > 0 ? await tablesOf(to) : []) {
    const { rows: found } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(to)
    if (found.length > 0) {
      throw new BackupError(`the database of DATABASE_URL is not empty (${table}). Create another one, and name that`)
    }
  }
}

async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !BOOKKEEPING.includes(name))
}

/**
 * Without foreign keys meanwhile, as rows name each other in every direction; with them again, each row is checked. Without triggers too:
 * what they would write is in the rows already.
 */
async function moveRows(from: SqliteDatabase.Database, to: Db): Promise<Map<string, number>> {
  const { rows: keys } = await sql<{ table: string; name: string; rule: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as rule
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(to)
  for (const { table, name } of keys) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(to)
  }
  const moved = new Map<string, number>()
  for (const table of await tablesOf(to)) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(to)
    moved.set(table, await moveTable(from, to, table))
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(to)
  }
  for (const { table, name, rule } of keys) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.id(name)} ${sql.raw(rule)}`.execute(to)
  }
  // Until PostgreSQL has looked at so many new rows, it plans as if there were few: a list of videos took it twelve seconds.
  await sql`analyze`.execute(to)
  return moved
}

async function moveTable(from: SqliteDatabase.Database, to: Db, table: string): Promise<number> {
  const columns = await columnsOf(to, table)
  const names = sql.join(columns.map(({ name }) => sql.id(name)))
  const most = Math.max(1, Math.min(ROWS_AT_ONCE, Math.floor(VALUES_AT_ONCE / columns.length)))
  const reading = from.prepare(`select ${columns.map(({ name }) => `"${name}"`).join(', ')} from "${table}"`).raw()
  let waiting: Value[][] = []
  let count = 0
  async function write(): Promise<void> {
    if (waiting.length === 0) return
    const values = sql.join(waiting.map((row) => sql`(${sql.join(row)})`))
    await sql`insert into ${sql.table(table)} (${names}) values ${values}`.execute(to)
    count += waiting.length
    waiting = []
  }
  for (const row of reading.iterate() as IterableIterator<Value[]>) {
    waiting.push(row.map((value, index) => fitting(value, columns[index])))
    if (waiting.length >= most) await write()
  }
  await write()
  await goOnCounting(from, to, table, columns)
  return count
}

async function columnsOf(db: Db, table: string): Promise<Column[]> {
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(db)
  return rows.map(({ name, type }) => ({ name, isWhole: type === 'integer' || type === 'bigint' }))
}

/** SQLite keeps a fraction in a column of whole numbers, and PostgreSQL refuses it. */
const fitting = (value: Value, column: Column | undefined): Value =>
  typeof value === 'number' && column?.isWhole ? Math.round(value) : value

/** Numbers that were given once are not given again, also where their rows are gone. */
async function goOnCounting(from: SqliteDatabase.Database, to: Db, table: string, columns: readonly Column[]) {
  if (!columns.some(({ name }) => name === 'id')) return
  const { rows } = await sql<{ sequence: string | null }>`
    select pg_get_serial_sequence(${table}, 'id') as sequence`.execute(to)
  const sequence = rows[0]?.sequence
  if (!sequence) return
  const last = Number(from.prepare('select seq from sqlite_sequence where name = ?').pluck().get(table) ?? 0)
  if (last > 0) await sql`select setval(${sequence}::regclass, ${last})`.execute(to)
}
