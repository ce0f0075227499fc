import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { tempDir } from '@siarin/testkit/temp-dir'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createRenditionsRepo } from '../src/modules/library/renditions.repo.ts'
import { copySqlite, dumpPostgres } from '../src/platform/backup/copy-database.ts'
import { keysOf, keysOfCopy } from '../src/platform/backup/file-keys.ts'
import { type Db, isForeignKeyViolation, migrate } from '../src/platform/db/database.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

describe.each(REPO_DATABASES)('a database of an earlier version, on $name', ({ openEmpty }) => {
  let database: RepoDatabase
  let db: Db

  beforeEach(async () => {
    database = await openEmpty()
    db = database.db
  })
  afterEach(() => database.close())

  /** As the database names them, and as a copy of it does. */
  async function filesOfBackup(): Promise<Set<string>> {
    const folder = await tempDir('copy')
    const copy = join(folder.path, 'copy')
    if (database.file) await copySqlite(database.file, copy)
    else await dumpPostgres(new Secret(database.url), copy)
    const files = await keysOfCopy(database.file ? 'sqlite' : 'postgres', copy)
    await folder.remove()
    expect(await keysOf(db)).toEqual(files)
    return files
  }

  /** With one user. */
  async function migrateTo(name: string): Promise<void> {
    await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(name)
    await sql`
      insert into users (id, username, username_key, email, password_hash, api_key_hash, api_key_sealed, created_at)
      values ('u', 'u', 'u', 'u', 'h', 'h', 's', 1)`.execute(db)
  }

  it('knows what the originals have of videos that are broadcast as they came, and of no others', async () => {
    await migrateTo('0008-plans')
    const add = (id: string, masterKey: string | null, width: number, height: number) =>
      sql`
      insert into videos (id, user_id, filename, status, original_key, original_bytes, master_key, master_bytes,
        content_type, width, height, fps, created_at)
      values (${id}, 'u', ${id}, 'ready', 'original', 1, ${masterKey}, 0, 'video/mp4',
        cast(${width} as integer), cast(${height} as integer), 29.97, 1)`.execute(db)
    await add('1 lying', 'original', 1920, 1080)
    await add('2 upright', 'original', 720, 1280)
    await add('3 prepared', 'master', 1280, 720)
    await add('4 failed', null, 1280, 720)

    await migrate(db)
    const rows = await db.selectFrom('videos').select(['original_height', 'original_fps']).orderBy('id').execute()
    expect(rows).toEqual([
      { original_height: 1080, original_fps: 29.97 },
      { original_height: 720, original_fps: 29.97 },
      { original_height: null, original_fps: null },
      { original_height: null, original_fps: null },
    ])
  })

  it('has a rendition of each video that was prepared, with the files that it had', async () => {
    await migrateTo('0021-lanes')
    const add = (id: string, masterKey: string | null, bytes: number, pictureKey: string | null) =>
      sql`
      insert into videos (id, user_id, filename, status, original_key, original_bytes, master_key, master_bytes,
        thumbnail_key, content_type, created_at)
      values (${id}, 'u', ${id}, 'ready', ${`u/${id}/original.mkv`}, 10, ${masterKey}, cast(${bytes} as integer),
        ${pictureKey}, 'video/mp4', 7)`.execute(db)
    await add('1', 'u/1/master-2.mp4', 15, 'u/1/thumbnail.jpg')
    await add('2', 'u/2/original.mkv', 0, null)
    await add('3', null, 0, null)
    const filesBefore = await filesOfBackup()

    await migrate(db)
    const same = {
      ...{ recipe: 'as-is', content_type: 'video/mp4', state: 'ready', created_at: 7 },
      ...{ loop: null, tail_key: null },
    }
    expect(await db.selectFrom('renditions').selectAll().orderBy('id').execute()).toEqual([
      { ...same, id: '1', video_id: '1', key: 'u/1/master-2.mp4', bytes: 15, thumbnail_key: 'u/1/thumbnail.jpg' },
      { ...same, id: '2', video_id: '2', key: 'u/2/original.mkv', bytes: 0, thumbnail_key: null },
    ])
    const repo = createLibraryRepo(db)
    expect((await repo.pageOf('u', null, 100)).map(({ id, master }) => [id, master?.key ?? null])).toEqual([
      ['3', null],
      ['2', 'u/2/original.mkv'],
      ['1', 'u/1/master-2.mp4'],
    ])
    expect(await repo.usedBytes('u')).toBe(15 + 10 + 10)
    // A backup has the same files, whichever version the database is of.
    expect(filesBefore.size).toBe(5)
    expect(await filesOfBackup()).toEqual(filesBefore)

    // The version before has been at work since: it has prepared one anew and another for the first time.
    const prepare = (id: string, key: string) =>
      sql`update videos set master_key = ${key}, master_bytes = 20 where id = ${id}`.execute(db)
    await sql`update renditions set loop = '{"seconds":1,"startSeconds":0}', tail_key = 'u/1/tail.mp4' where id = '1'`.execute(
      db,
    )
    await prepare('1', 'u/1/master.mp4')
    await prepare('3', 'u/3/master.mp4')
    await createRenditionsRepo(db).followOlderVersion()
    await createRenditionsRepo(db).followOlderVersion()
    expect(
      (await repo.pageOf('u', null, 100)).map(({ id, master }) => [id, master?.key, master?.bytes, master?.loop]),
    ).toEqual([
      ['3', 'u/3/master.mp4', 20, null],
      ['2', 'u/2/original.mkv', 0, null],
      ['1', 'u/1/master.mp4', 20, null],
    ])
    await db.deleteFrom('videos').execute()
    expect(await db.selectFrom('renditions').selectAll().execute()).toEqual([])
  })

  it('knows which videos stand in for a source, but for those that are gone', async () => {
    await migrateTo('0009-originals')
    await sql`
      insert into videos (id, user_id, filename, status, original_bytes, master_bytes, content_type, created_at)
      values ('there', 'u', 'klip.mp4', 'ready', 1, 0, 'video/mp4', 1)`.execute(db)
    const add = (id: string, standIn: string | null) =>
      sql`
      insert into streams (id, user_id, source, platform, target_sealed, target_host, target_mark, looping, desired,
        phase, state, slot, created_at, fallback_video_id)
      values (${id}, 'u', 'a source', 'lain', 'sealed', 'host', ${id}, 1, 'live', 'live', '{}',
        cast(${id} as integer), 1, ${standIn})`.execute(db)
    await add('1', 'there')
    await add('2', 'gone')
    await add('3', null)

    await migrate(db)
    const standIns = async () =>
      (await db.selectFrom('streams').select('fallback_video_id').orderBy('id').execute()).map(
        (row) => row.fallback_video_id,
      )
    expect(await standIns()).toEqual(['there', null, null])
    // Those that are wanted keep their videos.
    expect(await db.selectFrom('video_uses').selectAll().execute()).toEqual([
      { video_id: 'there', used_by: '1', user_id: 'u' },
    ])
    await expect(db.deleteFrom('videos').execute()).rejects.toSatisfy(isForeignKeyViolation)
    await db.deleteFrom('video_uses').execute()
    await db.deleteFrom('videos').execute()
    expect(await standIns()).toEqual([null, null, null])
  })
})
