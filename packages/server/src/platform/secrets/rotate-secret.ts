import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { sql } from 'kysely'
import { OperationalError } from '../../errors.ts'
import type { Db } from '../db/database.ts'
import { syncToDisk, writeDurably } from '../storage/durable.ts'
import { readSecretFile } from './app-secret.ts'
import { isRightSecret, type SealedSample } from './right-secret.ts'
import { createSealer, type Sealer } from './seal.ts'

/** Marks are made with the secret too; each tells about a sealed value beside it. */
const MARKS: Readonly<Record<string, { readonly of: string; readonly mark: string }>> = {
  streams: { of: 'target_sealed', mark: 'target_mark' },
  platform_accounts: { of: 'credential_sealed', mark: 'credential_mark' },
  online_sources: { of: 'url_sealed', mark: 'url_mark' },
}
/** Rows are known by their id, where a table has one. */
const KEYS: Readonly<Record<string, string>> = { second_factors: 'user_id' }
const BATCH = 500

const nextFile = (dataDir: string): string => join(dataDir, 'secret.next')

/** For rows that have a mark without the sealed value beside it: which mark each old one has become. */
export type FollowMarks = (inside: Db, marks: ReadonlyMap<string, string>) => Promise<void>

/** Seals everything anew in one transaction. Answers how many values there were. */
export async function resealDatabase(db: Db, before: Sealer, after: Sealer, followMarks: FollowMarks): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    let count = 0
    const marks = new Map<string, string>()
    for (const { name, columns } of await transaction.introspection.getTables()) {
      for (const { name: column } of columns) {
        if (column.endsWith('_sealed')) count += await resealColumn(transaction, { table: name, column }, marks)
      }
    }
    await followMarks(transaction, marks)
    return count
  })

  async function resealColumn(
    inside: Db,
    { table, column }: { table: string; column: string },
    marks: Map<string, string>,
  ): Promise<number> {
    const marked = MARKS[table]?.of === column ? MARKS[table].mark : null
    const [name, sealed, key] = [sql.table(table), sql.ref(column), sql.ref(KEYS[table] ?? 'id')]
    let count = 0
    for (let lastId = ''; ; ) {
      const { rows } = await sql<{ id: string; sealed: string; mark: string }>`
        select ${key} as id, ${sealed} as sealed, ${marked ? sql.ref(marked) : sql.lit('')} as mark from ${name}
        where ${sealed} <> '' and ${key} > ${lastId} order by ${key} limit ${sql.lit(BATCH)}`.execute(inside)
      for (const row of rows) {
        const value = open(row.sealed, `${table} ${row.id}`)
        const mark = marked ? after.mark(value) : null
        if (mark) marks.set(row.mark, mark)
        const setMark = marked ? sql`, ${sql.ref(marked)} = ${mark}` : sql``
        await sql`update ${name} set ${sealed} = ${after.seal(value)} ${setMark} where ${key} = ${row.id}`.execute(
          inside,
        )
      }
      count += rows.length
      if (rows.length < BATCH) return count
      lastId = rows.at(-1)?.id ?? ''
    }
  }

  function open(sealed: string, where: string): Secret {
    try {
      return before.open(sealed)
    } catch (error) {
      throw new OperationalError(`what is sealed in ${where} cannot be opened`, { cause: error })
    }
  }
}

/** The new secret lies beside the old in the data folder until the database has it: a crash leaves both; the database says which counts. */
export async function rotateSecretFile(
  db: Db,
  dataDir: string,
  secrets: { before: Secret; after: Secret },
  { sampleOf, followMarks }: { sampleOf: SealedSample; followMarks: FollowMarks },
) {
  await writeDurably(nextFile(dataDir), secrets.after.reveal())
  const count = await resealDatabase(db, createSealer(secrets.before), createSealer(secrets.after), followMarks)
  await settleSecretFile(db, dataDir, sampleOf)
  return count
}

/** Finishes what a crash of a rotation left. One that the database does not have yet stays: perhaps its rotation is just under way. */
export async function settleSecretFile(db: Db, dataDir: string, sampleOf: SealedSample): Promise<void> {
  const next = await readSecretFile(nextFile(dataDir))
  if (next === '' || !(await isRightSecret(db, createSealer(new Secret(next)), sampleOf))) return
  await rename(nextFile(dataDir), join(dataDir, 'secret')).catch((error) => {
    // Somebody else was quicker.
    if (error.code !== 'ENOENT') throw error
  })
  await syncToDisk(dataDir)
}
