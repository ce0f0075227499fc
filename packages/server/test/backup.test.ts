import { mkdir, readdir, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { copySqlite } from '../src/platform/backup/copy-database.ts'
import { keysOf } from '../src/platform/backup/file-keys.ts'
import { takeBackup } from '../src/platform/backup/take-backup.ts'
import { filesIn } from '../src/platform/backup/video-files.ts'
import { type Db, openSqlite } from '../src/platform/db/database.ts'
import { processBirth } from '../src/platform/process/detached.ts'
import { createSealer } from '../src/platform/secrets/seal.ts'
import { createProgram } from '../src/program.ts'
import { type Operator, operatorAt } from './support/operator.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'
import { putMigratedSqlite } from './support/shared-servers.ts'

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
    await putMigratedSqlite(join(dataDir, 'siarin.db'))
    db = openSqlite(join(dataDir, 'siarin.db'))
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

  it('says how many videos it has, and in plain numbers', async () => {
    const picture = join(dataDir, 'media', 'u', 'v', 'thumbnail.jpg')
    await writeFile(picture, Buffer.alloc(3_000_000))
    expect((await at(dataDir).run('backup', backup)).out).toContain(`${backup}: the database and 1 video (2.86 MB).`)
    const listed = await at(dataDir).run('backup', `${backup}-listed`, '--without-videos')
    expect(listed.out).toContain(`${backup}-listed: the database, and a list of 1 video (2.86 MB).`)
    await rm(picture)
  })

  it('fails where the videos cannot be read, and leaves nothing behind', async () => {
    const media = join(dataDir, 'media')
    await rename(media, `${media}-away`)
    await writeFile(media, 'not a folder')
    expect(await at(dataDir).run('backup', backup)).toMatchObject({ code: 1, err: expect.stringContaining('ENOTDIR') })
    expect(await stat(`${backup}.incomplete`).catch(() => null)).toBeNull()
    await rm(media)
    await rename(`${media}-away`, media)
  })

  it('misses nothing but what is deleted while it looks', async () => {
    for (const name of ['1', '2', '3']) {
      await mkdir(join(folder.path, 'many', 'u', name), { recursive: true })
      await writeFile(join(folder.path, 'many', 'u', name, 'master.mp4'), '')
    }
    const found: string[] = []
    for await (const path of filesIn(join(folder.path, 'many'))) {
      found.push(path)
      const next = ['1', '2', '3'].find((name) => !path.includes(name)) ?? ''
      if (found.length === 1) await rm(join(folder.path, 'many', 'u', next), { recursive: true })
    }
    expect(found).toHaveLength(2)
    await expect(filesIn(join(dataDir, 'siarin.db')).next()).rejects.toThrow('ENOTDIR')
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

describe.each(REPO_DATABASES)('[SAFE-05] the videos of a backup, on $name', ({ open }) => {
  let folder: TempDir
  let database: RepoDatabase
  let operator: Operator
  let userId: string

  beforeAll(async () => {
    ;[folder, database] = await Promise.all([tempDir('backup-keys'), open()])
    const dataDir = database.file ? dirname(database.file) : folder.path
    await writeFile(join(dataDir, 'secret'), 'a-secret-of-enough-length')
    const sealer = createSealer(new Secret('a-secret-of-enough-length'))
    userId = await addUser(database.db, { api_key_sealed: sealer.seal(new Secret('key')) })
    operator = operatorAt({ DATA_DIR: dataDir, ...(database.url && { DATABASE_URL: database.url }) })
    await mkdir(join(dataDir, 'media', userId, 'there'), { recursive: true })
    await writeFile(join(dataDir, 'media', userId, 'there', 'master.mp4'), 'a video')
  })
  afterAll(async () => {
    await database.close()
    await folder.remove()
  })

  async function addVideo(id: string): Promise<void> {
    const same = { id, content_type: '', created_at: 0 }
    const video = { ...same, user_id: userId, filename: `${id}\t.mp4`, status: 'ready', original_bytes: 0 }
    await database.db.insertInto('videos').values(video).execute()
    const made = { recipe: 'as-is', key: `${userId}/${id}/master.mp4`, bytes: 0, state: 'ready' } as const
    const master = { ...same, ...made, video_id: id }
    await database.db.insertInto('renditions').values(master).execute()
  }

  it('are all that its database names, or it says how many the server has lost', async () => {
    await addVideo('there')
    const whole = await operator.run('backup', join(folder.path, 'whole'))
    expect(whole).toMatchObject({ code: 0, err: expect.not.stringContaining('are not in') })
    await addVideo('lost')
    const { code, err, out } = await operator.run('backup', join(folder.path, 'lacking'))
    expect([code, out]).toEqual([0, expect.stringContaining('the database and 1 video')])
    expect(err).toContain('1 video files that the database names are not in')
    expect(err).toContain(`${userId}/lost/master.mp4`)
    expect(await operator.json('backup', join(folder.path, 'third'))).toMatchObject({ files: 1, missing: 1 })
  })

  it('are looked for in the right folder: one that has none of them is refused', async () => {
    const elsewhere = join(folder.path, 'elsewhere')
    const order = {
      ...{ to: join(folder.path, 'of-elsewhere'), dataDir: elsewhere, withVideos: true, program: '', schema: '' },
      databaseUrl: database.url ? new Secret(database.url) : null,
      secret: async () => new Secret('a-secret-of-enough-length'),
    }
    await mkdir(elsewhere)
    if (database.file) await copySqlite(database.file, join(elsewhere, 'siarin.db'))
    const refused = takeBackup({ ...order, namedFiles: () => keysOf(database.db) })
    await expect(refused).rejects.toThrow('has none of the 2 video files of the database')
    // Deleted since the database was copied.
    const taken = await takeBackup({ ...order, namedFiles: async () => new Set() })
    expect(taken).toMatchObject({ missing: [], manifest: { files: [] } })
  })

  it('are not sealed under a secret that was changed meanwhile', async () => {
    const secrets = ['a-secret-of-enough-length', 'another-one-of-enough-length']
    const dataDir = database.file ? dirname(database.file) : folder.path
    const refused = takeBackup({
      ...{ to: join(folder.path, 'rotated'), dataDir, withVideos: true, program: '', schema: '' },
      databaseUrl: database.url ? new Secret(database.url) : null,
      secret: async () => new Secret(secrets.shift() ?? ''),
      namedFiles: () => keysOf(database.db),
    })
    await expect(refused).rejects.toThrow('the secret was changed meanwhile')
  })
})
