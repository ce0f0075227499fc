import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Secret } from '@siarin/media/secret'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import SqliteDatabase from 'better-sqlite3'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { type Db, migrate, openPostgres, openSqlite } from '../src/platform/db/database.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { processBirth } from '../src/platform/process/detached.ts'
import { PROGRAM_VERSION } from '../src/platform/version.ts'
import { createProgram } from '../src/program.ts'
import { operatorAt } from './support/operator.ts'
import { startProgram } from './support/program.ts'
import { addUser } from './support/repo-databases.ts'
import { emptyPostgres } from './support/shared-servers.ts'

const run = promisify(execFile)
const silent = pino({ level: 'silent' })

describe('[SAFE-05] a backup', () => {
  let folder: TempDir
  let dataDir: string
  let db: Db
  let count = 0
  let backup: string
  let target: string

  beforeAll(async () => {
    folder = await tempDir('backup')
    dataDir = join(folder.path, 'data')
    await mkdir(join(dataDir, 'media', 'u', 'v'), { recursive: true })
    await writeFile(join(dataDir, 'media', 'u', 'v', 'original.mp4'), 'a video')
    await writeFile(join(dataDir, 'secret'), 'a-secret-of-enough-length')
    db = openSqlite(join(dataDir, 'siarin.db'))
    await migrate(db)
  })
  beforeEach(() => {
    count += 1
    backup = join(folder.path, `backup-${count}`)
    target = join(folder.path, `restored-${count}`)
  })
  afterAll(async () => {
    await db.destroy()
    await folder.remove()
  })

  const at = (dir: string, more = {}) => operatorAt({ DATA_DIR: dir, ...more })
  const inodeOf = async (file: string) => (await stat(file)).ino

  it('links the videos, and so does its restoring', async () => {
    expect(await at(dataDir).json('backup', backup)).toMatchObject({ files: 1, videoBytes: 7, videos: 'included' })
    const video = join('media', 'u', 'v', 'original.mp4')
    expect(await inodeOf(join(backup, video))).toBe(await inodeOf(join(dataDir, video)))
    await at(target).json('restore', backup)
    expect(await inodeOf(join(target, video))).toBe(await inodeOf(join(dataDir, video)))
    expect((await readdir(target)).sort()).toEqual(['media', 'secret', 'siarin.db'])
  })

  it('lists them where asked, and its restoring says which are missing', async () => {
    expect(await at(dataDir).json('backup', backup, '--without-videos')).toMatchObject({ files: 1, videos: 'listed' })
    expect(await readdir(backup)).not.toContain('media')
    const restored = await at(target).run('restore', backup)
    expect(restored).toMatchObject({ code: 0, err: expect.stringContaining('1 of its 1 video files are not in') })
  })

  it('is never written over, nor mixed with what a crash has left', async () => {
    await mkdir(join(`${backup}.incomplete`, 'media'), { recursive: true })
    await writeFile(join(`${backup}.incomplete`, 'media', 'left'), 'left')
    await at(dataDir).json('backup', backup)
    expect(await readdir(join(backup, 'media'))).toEqual(['u'])
    expect(await at(dataDir).run('backup', backup)).toMatchObject({ code: 1, err: expect.stringContaining('already') })
  })

  it('is refused while another one is written to the same place', async () => {
    await mkdir(`${backup}.incomplete`)
    await symlink(`${process.pid} ${processBirth(process.pid)}`, join(`${backup}.incomplete`, '.owner'))
    expect((await at(dataDir).run('backup', backup)).err).toContain('is being written by another backup')
  })

  it.each([
    ['has no manifest', (dir: string) => rm(join(dir, 'manifest.json')), 'is no backup'],
    ['has a cut database', (dir: string) => truncate(join(dir, 'siarin.db'), 4096), 'is damaged'],
    ['lacks a video', (dir: string) => rm(join(dir, 'media'), { recursive: true }), 'is damaged'],
  ])('that %s is refused, and nothing is written', async (_what, damage, complaint) => {
    await at(dataDir).json('backup', backup)
    await damage(backup)
    expect(await at(target).run('restore', backup)).toMatchObject({ code: 1, err: expect.stringContaining(complaint) })
    expect(await stat(target).catch(() => null)).toBeNull()
  })

  it('is not made with a secret that does not open it, nor restored beside another', async () => {
    const other = { APP_SECRET: 'another-secret-of-enough-length' }
    await addUser(db, { api_key_sealed: 'v1.sealed-with-something-else-altogether-and-long' })
    expect((await at(dataDir).run('backup', backup)).err).toContain('APP_SECRET is not the one')
    await db.deleteFrom('users').execute()
    await at(dataDir).json('backup', backup)
    expect((await at(target, other).run('restore', backup)).err).toContain("is not the backup's")
  })

  it('that was restored by half lets no program start, and can be restored again', async () => {
    await at(dataDir).json('backup', backup)
    await mkdir(join(target, 'media'), { recursive: true })
    await writeFile(join(target, 'restoring'), backup)
    await writeFile(join(target, 'secret'), 'half')
    const program = createProgram(readConfig({ DATA_DIR: target }), silent)
    await expect(program).rejects.toThrow(`npm run siarin -- restore ${backup}`)
    await at(target).json('restore', backup)
    expect((await readdir(target)).sort()).toEqual(['media', 'secret', 'siarin.db'])
  })
})

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

  it('PostgreSQL is dumped', async () => {
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
