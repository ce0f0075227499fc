import { execFile } from 'node:child_process'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Secret } from '@siarin/media/secret'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { isWholeRun } from '@siarin/testkit/whole-run'
import SqliteDatabase from 'better-sqlite3'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snapshotBeforeMigration } from '../src/platform/backup/migration-snapshot.ts'
import { type Db, openPostgres, openSqlite } from '../src/platform/db/database.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { PROGRAM_VERSION } from '../src/platform/version.ts'
import { startProgram } from './support/program.ts'
import { emptyPostgres } from './support/shared-servers.ts'

const run = promisify(execFile)
const silent = pino({ level: 'silent' })

describe('[SAFE-05] before a migration', () => {
  const names = Object.keys(migrations).sort()
  const before = names.at(-2) ?? ''
  let folder: TempDir

  beforeAll(async () => {
    folder = await tempDir('snapshot')
  })
  afterAll(() => folder.remove())

  const migrateToBefore = (db: Db) =>
    new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(before)

  it('SQLite is copied as it was, and the last three copies are kept', async () => {
    const file = join(folder.path, 'siarin.db')
    const db = openSqlite(file)
    await migrateToBefore(db)
    await db.destroy()
    const backups = join(folder.path, 'backups')
    await mkdir(backups)
    for (const [index, version] of ['0.0.1', '0.0.2', '0.0.3'].entries()) {
      const old = join(backups, `before-${version}.db`)
      await writeFile(old, '')
      await utimes(old, index + 1, index + 1)
    }
    const program = await startProgram({ DATA_DIR: folder.path })
    await program.close()
    const copy = `before-${PROGRAM_VERSION}.db`
    expect((await readdir(backups)).sort()).toEqual(['before-0.0.2.db', 'before-0.0.3.db', copy])
    const opened = new SqliteDatabase(join(backups, copy), { readonly: true })
    const [last] = opened.prepare('select max(name) as name from kysely_migration').all() as { name: string }[]
    opened.close()
    expect(last?.name).toBe(before)
  })

  it.runIf(isWholeRun)('the copy is that of the machine which migrates first, however many start', async () => {
    const dataDir = join(folder.path, 'two-machines')
    await mkdir(join(dataDir, 'backups'), { recursive: true })
    const db = openSqlite(join(dataDir, 'siarin.db'))
    await migrateToBefore(db)
    await db.destroy()
    const copy = join(dataDir, 'backups', 'before-1.db')
    const snapshot = (isUnchanged: boolean) =>
      snapshotBeforeMigration({
        ...{ databaseUrl: null, dataDir, program: '1', log: silent },
        isUnchanged: async () => isUnchanged,
      })
    await snapshot(false)
    expect(await readdir(join(dataDir, 'backups'))).toEqual([])
    await snapshot(true)
    const { ino } = await stat(copy)
    await snapshot(true)
    expect((await stat(copy)).ino).toBe(ino)
    // As if the copy were of an upgrade long ago, which was taken back.
    await utimes(copy, 1, 1)
    await snapshot(true)
    expect((await stat(copy)).ino).not.toBe(ino)
  })

  it('a copy that takes too long is given up, and nothing of it is left', async () => {
    const dataDir = join(folder.path, 'too-long')
    await mkdir(dataDir)
    const db = openSqlite(join(dataDir, 'siarin.db'))
    await migrateToBefore(db)
    await db.destroy()
    const warnings: unknown[] = []
    const log = Object.assign(pino({ level: 'silent' }), { warn: (fields: unknown) => warnings.push(fields) })
    const order = { databaseUrl: null, dataDir, program: '1', log, isUnchanged: async () => true }
    await snapshotBeforeMigration({ ...order, longestMs: 1 })
    expect(await readdir(join(dataDir, 'backups'))).toEqual([])
    expect(warnings).toEqual([{ reason: 'the copy took longer than 0.001 s' }])
    await snapshotBeforeMigration(order)
    expect(await readdir(join(dataDir, 'backups'))).toEqual(['before-1.db'])
  })

  it.runIf(isWholeRun)('PostgreSQL is dumped', async () => {
    const { url, drop } = await emptyPostgres()
    const db = openPostgres(new Secret(url), silent)
    await migrateToBefore(db)
    await db.destroy()
    const dataDir = join(folder.path, 'postgres')
    const program = await startProgram({ DATABASE_URL: url, DATA_DIR: dataDir })
    await program.close()
    await drop()
    const { stdout } = await run('pg_restore', ['--list', join(dataDir, 'backups', `before-${PROGRAM_VERSION}.dump`)])
    expect(stdout).toContain('TABLE DATA public streams')
  })
})
