import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Db, isForeignKeyViolation, migrate } from '../src/platform/db/database.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'

describe.each(REPO_DATABASES)('a database of an earlier version, on $name', ({ openEmpty }) => {
  let db: Db
  let close: () => Promise<void>

  beforeEach(async () => {
    ;({ db, close } = await openEmpty())
  })
  afterEach(() => close())

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
