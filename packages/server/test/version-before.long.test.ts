import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Db, isPostgres, migrate } from '../src/platform/db/database.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { call, personWithVideo } from './support/program.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'
import { streamCalls } from './support/streams.ts'
import { versionBefore } from './support/version-before.ts'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** A version that does not know it leaves it out. */
  readonly mayBeLeftOut: boolean
}

async function columnsOf(db: Db): Promise<Column[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: false })
  return tables.flatMap(({ name: table, columns }) =>
    columns.map(({ name, dataType, isNullable, hasDefaultValue }) => ({
      ...{ table, name, type: dataType, isNullable },
      mayBeLeftOut: isNullable || hasDefaultValue,
    })),
  )
}

/** The rules for rows: what may not be there twice, and what a row must be like. */
async function rulesOf(db: Db): Promise<{ table: string; rule: string }[]> {
  const found = isPostgres(db)
    ? sql<{ table: string; rule: string }>`
        select tablename as table, indexdef as rule from pg_indexes
        where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'
        union all select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
        where contype in ('c', 'f') and connamespace = 'public'::regnamespace`
    : sql<{ table: string; rule: string }>`
        select tbl_name as "table", sql as rule from sqlite_master
        where type = 'trigger' or (type = 'index' and sql like 'create unique%')`
  return (await found.execute(db)).rows
}

const versionThen = await versionBefore()

describe.skipIf(versionThen === null).each(REPO_DATABASES)(
  'the tables after this version has migrated them, on $name',
  ({ openEmpty }) => {
    it('[MANY-03] take what the version before writes, which knows none of the new columns', async () => {
      const { db, close } = await openEmpty()
      await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(
        versionThen?.migration ?? '',
      )
      const [columns, rules] = [await columnsOf(db), await rulesOf(db)]
      await migrate(db)
      const [columnsNow, rulesNow] = [await columnsOf(db), await rulesOf(db)]
      const tables = new Set(columns.map(({ table }) => table))
      const named = ({ table, name }: Column): string => `${table}.${name}`

      const now = new Map(columnsNow.map((column) => [named(column), column]))
      const narrowed = columns.filter((column) => {
        const then = now.get(named(column))
        return !then || then.type !== column.type || (column.isNullable && !then.isNullable)
      })
      expect(narrowed.map(named)).toEqual([])
      const before = new Set(columns.map(named))
      const added = columnsNow.filter((column) => tables.has(column.table) && !before.has(named(column)))
      expect(added.filter(({ mayBeLeftOut }) => !mayBeLeftOut).map(named)).toEqual([])
      const known = new Set(rules.map(({ rule }) => rule))
      expect(rulesNow.filter(({ table, rule }) => tables.has(table) && !known.has(rule))).toEqual([])
      await close()
    })
  },
)

describe.skipIf(versionThen === null)('the program of the version before', () => {
  let folder: TempDir
  let rtmp: RtmpServer
  let clip: string
  const running: Siarin[] = []

  beforeAll(async () => {
    folder = await tempDir('version-before')
    clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 4 })
    rtmp = await startRtmpServer()
  })
  afterEach(async () => {
    for (const siarin of running.splice(0)) await siarin.dispose()
  })
  afterAll(async () => {
    await rtmp?.stop()
    await folder?.remove()
  })

  async function startBefore(env: Record<string, string> = {}): Promise<Siarin> {
    // A folder of its own comes with the tables of today.
    const siarin = await startSiarin({ env, main: versionThen?.main ?? '' })
    running.push(siarin)
    return siarin
  }

  async function broadcasts(siarin: Siarin, key: string): Promise<void> {
    const { apiKey } = await personWithVideo(siarin.url, clip)
    const calls = streamCalls(siarin.url, rtmp)
    const { body } = await calls.start(apiKey, key)
    await rtmp.waitForPublisher(key, { growing: true })
    await waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
    expect((await calls.stop(apiKey, body.streamId)).status).toBe(200)
    await rtmp.waitForNoPublisher(key)
    expect((await calls.history(apiKey))[0]).toMatchObject({ streamId: body.streamId, ended: 'stopped' })
    expect((await call(siarin.url, 'DELETE', '/fitur/video/delete/klip.mp4', { body: { apiKey } })).status).toBe(200)
  }

  it('[MANY-03] starts on SQLite as this version has migrated it, and does all it did', async () => {
    await broadcasts(await startBefore(), 'before-sqlite')
  })

  it('[MANY-03] starts on PostgreSQL and Redis as this version has migrated it, and does all it did', async () => {
    const database = await migratedPostgres()
    await broadcasts(
      await startBefore({ DATABASE_URL: database.url, REDIS_URL: await freshRedis() }),
      'before-postgres',
    )
    for (const siarin of running.splice(0)) await siarin.dispose()
    await database.drop()
  })
})
