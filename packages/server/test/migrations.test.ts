import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, migrate } from '../src/platform/db/database.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'

describe.each(REPO_DATABASES)('a database of an earlier version, on $name', ({ openEmpty }) => {
  let db: Db
  let close: () => Promise<void>

  beforeAll(async () => {
    ;({ db, close } = await openEmpty())
  })
  afterAll(() => close())

  it('knows what the originals have of videos that are broadcast as they came, and of no others', async () => {
    await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo('0008-plans')
    await sql`
      insert into users (id, username, username_key, email, password_hash, api_key_hash, api_key_sealed, created_at)
      values ('u', 'u', 'u', 'u', 'h', 'h', 's', 1)`.execute(db)
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
})
