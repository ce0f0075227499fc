import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { dumpedTable } from './copy-database.ts'

/** A row as a database, or the text of a dump, has it: by column. */
type Row = Readonly<Record<string, unknown>>

/**
 * What names files. A backup may be taken of a database that the version before has left: there the videos name their masters, and
 * there are no renditions.
 */
const TABLES = ['videos', 'renditions', 'brand_kits', 'brand_looks'] as const
const COLUMNS = ['original_key', 'master_key', 'thumbnail_key', 'key', 'tail_key', 'logo_key'] as const
const NO_VALUE = '\\N'

/** The files that the database names now. */
export async function keysOf(db: Db): Promise<Set<string>> {
  const there = (await db.introspection.getTables()).map(({ name }) => name)
  const rows: Row[] = []
  for (const table of TABLES) {
    if (there.includes(table)) rows.push(...(await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows)
  }
  return named(rows)
}

/** The files that a copy of the database names. */
export const keysOfCopy = async (kind: 'sqlite' | 'postgres', file: string): Promise<Set<string>> =>
  named(kind === 'sqlite' ? rowsOfSqlite(file) : await rowsOfDump(file))

function rowsOfSqlite(file: string): Row[] {
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    const isThere = db.prepare("select 1 from sqlite_master where type = 'table' and name = ?")
    return TABLES.filter((table) => isThere.get(table)).flatMap(
      (table) => db.prepare(`select * from ${table}`).all() as Row[],
    )
  } finally {
    db.close()
  }
}

async function rowsOfDump(dump: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const table of TABLES) rows.push(...(await dumpedRows(dump, table)))
  return rows
}

/** Reads `COPY public.videos (id, …) FROM stdin;`, the rows after it with a tab between their values, and `\.`. Keys need no escaping. */
async function dumpedRows(dump: string, table: string): Promise<Row[]> {
  const file = `${dump}.${table}`
  const rows: Row[] = []
  try {
    await dumpedTable(dump, table, file)
    let columns: string[] | null = null
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const header = /^COPY \S+ \((.*)\) FROM stdin;$/.exec(line)?.[1]
      if (header) columns = header.split(', ')
      else if (line === '\\.') columns = null
      else if (columns) rows.push(rowOf(columns, line.split('\t')))
    }
  } finally {
    await rm(file, { force: true })
  }
  return rows
}

const rowOf = (columns: readonly string[], values: readonly string[]): Row =>
  Object.fromEntries(columns.map((column, place) => [column, values[place] === NO_VALUE ? null : values[place]]))

/** A rendition that is being made, or has been replaced, may have lost its files already: it is missed by nobody. */
const isNeeded = (row: Row): boolean => row['state'] === undefined || row['state'] === 'ready'

const named = (rows: readonly Row[]): Set<string> =>
  new Set(
    rows
      .filter(isNeeded)
      .flatMap((row) => COLUMNS.map((column) => row[column]))
      .filter((key) => typeof key === 'string'),
  )
