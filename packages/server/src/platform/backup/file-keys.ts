import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import SqliteDatabase from 'better-sqlite3'
import type { Db } from '../db/database.ts'
import { dumpedTable } from './copy-database.ts'

const COLUMNS = ['original_key', 'master_key', 'thumbnail_key'] as const
const NO_VALUE = '\\N'

/** The files that the database names now. */
export async function keysOf(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('videos').select(COLUMNS).execute()
  return named(rows.flatMap((row) => COLUMNS.map((column) => row[column])))
}

/** The files that a copy of the database names. */
export const keysOfCopy = (kind: 'sqlite' | 'postgres', file: string): Promise<Set<string>> =>
  kind === 'sqlite' ? keysOfSqlite(file) : keysOfDump(file)

async function keysOfSqlite(file: string): Promise<Set<string>> {
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    return named(
      db
        .prepare(`select ${COLUMNS.join(', ')} from videos`)
        .raw()
        .all()
        .flat() as (string | null)[],
    )
  } finally {
    db.close()
  }
}

/** Of `COPY public.videos (id, …) FROM stdin;`, the rows after it with a tab between their values, and `\.`. Keys need no escaping. */
async function keysOfDump(dump: string): Promise<Set<string>> {
  const rows = `${dump}.videos`
  const keys: string[] = []
  try {
    await dumpedTable(dump, 'videos', rows)
    let places: number[] | null = null
    for await (const line of createInterface({ input: createReadStream(rows) })) {
      const columns = /^COPY \S+ \((.*)\) FROM stdin;$/.exec(line)?.[1]?.split(', ')
      if (columns) places = COLUMNS.map((column) => columns.indexOf(column))
      else if (line === '\\.') places = null
      else if (places) {
        const values = line.split('\t')
        keys.push(...places.map((place) => values[place] ?? NO_VALUE))
      }
    }
  } finally {
    await rm(rows, { force: true })
  }
  return named(keys.map((key) => (key === NO_VALUE ? null : key)))
}

const named = (keys: readonly (string | null)[]): Set<string> => new Set(keys.filter((key) => key !== null))
