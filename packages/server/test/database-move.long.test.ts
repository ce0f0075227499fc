import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import type { PostgresDatabase } from '@siarin/testkit/postgres'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../src/platform/db/database.ts'
import { operatorAt } from './support/operator.ts'
import { personWithVideo } from './support/program.ts'
import { emptyPostgres, migratedPostgres } from './support/shared-servers.ts'
import { streamCalls } from './support/streams.ts'

const log = pino({ level: 'silent' })

describe('[MANY-01] a machine that outgrows SQLite', { timeout: 600_000 }, () => {
  let folder: TempDir
  let rtmp: RtmpServer
  let siarin: Siarin
  let database: PostgresDatabase
  let calls: ReturnType<typeof streamCalls>
  let apiKey: string

  beforeAll(async () => {
    folder = await tempDir('database-move')
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 3 })
    rtmp = await startRtmpServer()
    database = await emptyPostgres()
    siarin = await startSiarin()
    calls = streamCalls(siarin.url, rtmp)
    apiKey = (await personWithVideo(siarin, clip)).apiKey
    await calls.start(apiKey, 'moved-key')
    await rtmp.waitForPublisher('moved-key', { growing: true })
    await waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
  })
  afterAll(async () => {
    await siarin?.dispose()
    await rtmp?.stop()
    await database?.drop()
    await folder?.remove()
  })

  const move = (url = database.url) =>
    operatorAt({ DATA_DIR: siarin.dataDir, DATABASE_URL: url }, { apart: true }).run('database', 'move')

  it('is refused while the server runs, while something is on air, and into a database that has rows', async () => {
    expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('is in use by another Siarin') })
    await siarin.kill9()
    expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('1 broadcasts are still on air') })
    for (const ffmpeg of await ffmpegsUnder(siarin.dataDir)) kill9(ffmpeg)
    await waitFor('its end', async () => (await ffmpegsUnder(siarin.dataDir)).length === 0)

    const full = await migratedPostgres()
    const db = openPostgres(new Secret(full.url), log)
    await sql`insert into article_views (slug, views) values ('x', 1)`.execute(db)
    expect(await move(full.url)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty (article_views)'),
    })
    await db.destroy()
    await full.drop()
    const wrong = operatorAt({ DATA_DIR: siarin.dataDir, DATABASE_URL: database.url, APP_SECRET: 'quite another one' })
    expect(await wrong.run('database', 'move')).toMatchObject({ code: 1, err: expect.stringContaining('APP_SECRET') })
    expect(await readdir(siarin.dataDir)).toContain('siarin.db')
  })

  it('has every row in PostgreSQL afterwards, and goes on from there with what was on air', async () => {
    const sqlite = new SqliteDatabase(join(siarin.dataDir, 'siarin.db'), { readonly: true })
    const tables = sqlite
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
      )
      .pluck()
      .all() as string[]
    const counts = tables.map((table) => [table, sqlite.prepare(`select count(*) from "${table}"`).pluck().get()])
    const lastFact = Number(sqlite.prepare("select seq from sqlite_sequence where name = 'outbox'").pluck().get())
    const users = sqlite.prepare('select * from users order by id').all()
    sqlite.close()
    const { code, err, out } = await move()
    expect([code, err]).toEqual([0, expect.stringContaining('set APP_SECRET of every machine')])
    expect(out).toContain('rows are in the database of DATABASE_URL')

    const db = openPostgres(new Secret(database.url), log)
    for (const [table, count] of counts) {
      const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(String(table))}`.execute(db)
      expect([table, rows[0]?.count]).toEqual([table, count])
    }
    expect((await sql`select * from users order by id`.execute(db)).rows).toEqual(users)
    const { rows: keys } = await sql`select 1 from pg_constraint where contype = 'f'`.execute(db)
    expect(keys.length).toBeGreaterThan(20)
    const names = await readdir(siarin.dataDir)
    expect(names).toContain('siarin.db.moved')
    expect(names.filter((name) => /^siarin\.db(-wal|-shm)?$/.test(name))).toEqual([])

    expect((await sql`select 1 from streams where phase <> 'ended' and worker is not null`.execute(db)).rows).toEqual(
      [],
    )

    // Somebody starts the old one again, or calls its command.
    const old = await startSiarin({ dataDir: siarin.dataDir }).catch((error: Error) => error.message)
    expect(old).toContain('was moved to PostgreSQL: set DATABASE_URL')
    const stats = await operatorAt({ DATA_DIR: siarin.dataDir }).run('stats')
    expect(stats).toMatchObject({ code: 1, err: expect.stringContaining('was moved to PostgreSQL') })
    expect(await readdir(siarin.dataDir)).not.toContain('siarin.db')

    await siarin.restart({ DATABASE_URL: database.url })
    await rtmp.waitForPublisher('moved-key', { growing: true })
    await waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
    // Numbers go on after the last that SQLite gave.
    const { rows } = await sql<{ id: number }>`select min(id) as id from outbox where id > ${lastFact}`.execute(db)
    expect(rows[0]?.id).toBeGreaterThan(lastFact)
    await db.destroy()
    expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('it was moved before') })
    await calls.stopAll(apiKey)
  })
})
