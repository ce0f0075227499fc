import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createStreamsRepo } from '../src/modules/broadcasts/store/streams.repo.ts'
import { anySealedKey } from '../src/modules/identity/sealed-sample.ts'
import { createBroadcastsRepo } from '../src/modules/platforms/broadcasts.repo.ts'
import { type Db, openDatabase } from '../src/platform/db/database.ts'
import { openMigrated } from '../src/platform/db/open-migrated.ts'
import { lockFolder } from '../src/platform/process/folder-lock.ts'
import { resealDatabase } from '../src/platform/secrets/rotate-secret.ts'
import { createSealer } from '../src/platform/secrets/seal.ts'
import { DATABASES, type TestDatabases } from './support/databases.ts'
import { operatorAt } from './support/operator.ts'
import { addUser } from './support/repo-databases.ts'
import { putMigratedSqlite } from './support/shared-servers.ts'

const log = pino({ level: 'silent' })
const OLD = 'the-old-secret-of-this-server'
const key = (name: string) => new Secret(`key of ${name}`)

describe.each(DATABASES)('a rotation of APP_SECRET, on $name', ({ open }) => {
  let folder: TempDir
  let databases: TestDatabases
  let settings: Record<string, string>
  let dataDir: string
  let count = 0
  let db: Db

  beforeAll(async () => {
    folder = await tempDir('rotation')
    databases = await open()
  })
  afterAll(async () => {
    await db?.destroy()
    await databases.stop()
    await folder.remove()
  })
  beforeEach(async () => {
    await db?.destroy()
    count += 1
    dataDir = join(folder.path, String(count))
    settings = { DATA_DIR: dataDir, ...(await databases.settings()) }
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'secret'), OLD)
    if (!databaseUrl()) await putMigratedSqlite(join(dataDir, 'siarin.db'))
    db = openDatabase(databaseUrl(), dataDir, log)
    await fill()
  })

  const databaseUrl = () => (settings['DATABASE_URL'] ? new Secret(settings['DATABASE_URL']) : null)
  const secretOf = async () => (await readFile(join(dataDir, 'secret'), 'utf8')).trim()
  const sealed = createSealer(new Secret(OLD))

  /** One of everything that is sealed. */
  async function fill(): Promise<void> {
    const userId = await addUser(db, { api_key_sealed: sealed.seal(key('api')) })
    const own = { user_id: userId, created_at: 1 }
    await db
      .insertInto('second_factors')
      .values({ ...own, secret_sealed: sealed.seal(key('second factor')) })
      .execute()
    await db
      .insertInto('videos')
      .values({
        ...{ ...own, id: 'v', filename: 'v', status: 'failed', content_type: '', original_bytes: 0 },
        import_url_sealed: sealed.seal(key('import')),
      })
      .execute()
    await createStreamsRepo(db).insert({
      ...{ ...own, id: 's', source: 's', platform: 'tiktok', target_host: 'h', looping: 1, desired: 'live' },
      ...{ phase: 'live', state: '{}' },
      target_sealed: sealed.seal(key('target')),
      target_mark: sealed.mark(key('target')),
      source_sealed: sealed.seal(key('source')),
    })
    await db
      .insertInto('platform_accounts')
      .values({
        ...{ ...own, id: 'a', platform: 'bigo', name: 'a' },
        credential_sealed: sealed.seal(key('credential')),
        credential_mark: sealed.mark(key('credential')),
      })
      .execute()
    await db
      .insertInto('online_sources')
      .values({ ...own, id: 'o', name: 'o', url_sealed: sealed.seal(key('url')), url_mark: sealed.mark(key('url')) })
      .execute()
    await db
      .insertInto('targets')
      .values({
        ...{ ...own, id: 't', name: 't', name_key: 't', platform: 'youtube', key_hint: '' },
        key_sealed: sealed.seal(key('stored target')),
      })
      .execute()
    await db
      .insertInto('schedules')
      .values({
        ...{ ...own, id: 'j', title: 'j', rule: '{}', planned_until: 1 },
        request_sealed: sealed.seal(key('request')),
      })
      .execute()
    await db
      .insertInto('alert_channels')
      .values({
        ...{ ...own, id: 'k', kind: 'discord', name: 'k', hint: '', state: 'on' },
        destination_sealed: sealed.seal(key('destination')),
      })
      .execute()
    await db
      .insertInto('telegram_links')
      .values({
        ...{ ...own, id: 'l', bot_id: '1', bot_name: 'b', code_hash: 'h', expires_at: 1 },
        token_sealed: sealed.seal(key('bot')),
      })
      .execute()
    await db
      .insertInto('push_keys')
      .values({ id: 'vapid', public_key: 'p', created_at: 1, private_sealed: sealed.seal(key('push')) })
      .execute()
    await db
      .insertInto('webhook_endpoints')
      .values({
        ...{ ...own, id: 'w', description: '', events: '[]', url_sealed: sealed.seal(key('webhook')) },
        secret_sealed: sealed.seal(key('signing')),
        old_secret_sealed: sealed.seal(key('old signing')),
      })
      .execute()
    for (const [id, name] of [
      ['b1', 'target'],
      ['b2', 'unused'],
    ] as const) {
      const token = { token_sealed: sealed.seal(key('token')), target_mark: sealed.mark(key(name)) }
      await db
        .insertInto('platform_broadcasts')
        .values({ ...own, id, broadcast_id: '7', ...token })
        .execute()
    }
  }

  async function needAllUnder(secret: string): Promise<void> {
    const sealer = createSealer(new Secret(secret))
    const opened = (text: string | null) => sealer.open(text ?? '').reveal()
    const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    const video = await db.selectFrom('videos').selectAll().executeTakeFirstOrThrow()
    const stream = await createStreamsRepo(db).byId('s')
    if (!stream) throw new Error('the stream is gone')
    // As the version before would read it.
    const older = await db.selectFrom('streams').select('source_sealed').executeTakeFirstOrThrow()
    expect(opened(older.source_sealed)).toBe(key('source').reveal())
    const account = await db.selectFrom('platform_accounts').selectAll().executeTakeFirstOrThrow()
    const factor = await db.selectFrom('second_factors').selectAll().executeTakeFirstOrThrow()
    const source = await db.selectFrom('online_sources').selectAll().executeTakeFirstOrThrow()
    const target = await db.selectFrom('targets').selectAll().executeTakeFirstOrThrow()
    const schedule = await db.selectFrom('schedules').selectAll().executeTakeFirstOrThrow()
    const channel = await db.selectFrom('alert_channels').selectAll().executeTakeFirstOrThrow()
    const link = await db.selectFrom('telegram_links').selectAll().executeTakeFirstOrThrow()
    const push = await db.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow()
    const webhook = await db.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow()
    const begun = await db.selectFrom('platform_broadcasts').selectAll().orderBy('id').execute()
    expect([
      ...[user.api_key_sealed, video.import_url_sealed, stream.target_sealed, stream.source_sealed].map(opened),
      ...[account.credential_sealed, source.url_sealed, ...begun.map((row) => row.token_sealed)].map(opened),
      ...[factor.secret_sealed, target.key_sealed, schedule.request_sealed].map(opened),
      ...[channel.destination_sealed, link.token_sealed, push.private_sealed].map(opened),
      ...[webhook.url_sealed, webhook.secret_sealed, webhook.old_secret_sealed].map(opened),
    ]).toEqual(
      [
        'api',
        'import',
        'target',
        'source',
        'credential',
        'url',
        'token',
        'token',
        'second factor',
        'stored target',
        'request',
        'destination',
        'bot',
        'push',
        'webhook',
        'signing',
        'old signing',
      ].map((name) => key(name).reveal()),
    )
    expect([stream.target_mark, account.credential_mark, source.url_mark, begun[0]?.target_mark]).toEqual(
      ['target', 'credential', 'url', 'target'].map((name) => sealer.mark(key(name))),
    )
  }

  it('seals everything anew, and the marks with it', async () => {
    expect(await operatorAt(settings).json('secret', 'rotate')).toEqual({ sealed: 18 })
    expect(await secretOf()).not.toBe(OLD)
    await needAllUnder(await secretOf())
    const open = await db.selectFrom('platform_broadcasts').select('id').where('ended_at', 'is', null).execute()
    // Nobody can tell any more where the other one's stream would go.
    expect(open).toEqual([{ id: 'b1' }])
    // Every column that is sealed or marked is one of those above: a new one has to be added there, and to MARKS.
    const columns = (await db.introspection.getTables()).flatMap(({ name, columns }) =>
      columns.filter((column) => /_(sealed|mark)$/.test(column.name)).map((column) => `${name}.${column.name}`),
    )
    expect(columns.sort()).toEqual([
      'alert_channels.destination_sealed',
      'broadcasts.source_sealed',
      'online_sources.url_mark',
      'online_sources.url_sealed',
      'platform_accounts.credential_mark',
      'platform_accounts.credential_sealed',
      'platform_broadcasts.target_mark',
      'platform_broadcasts.token_sealed',
      'push_keys.private_sealed',
      // Made with the secret beside it, not with this one.
      'recovery_codes.code_mark',
      'schedules.request_sealed',
      'second_factors.secret_sealed',
      'streams.source_sealed',
      'streams.target_mark',
      'streams.target_sealed',
      'targets.key_sealed',
      'telegram_links.token_sealed',
      'users.api_key_sealed',
      'videos.import_url_sealed',
      'webhook_endpoints.old_secret_sealed',
      'webhook_endpoints.secret_sealed',
      'webhook_endpoints.url_sealed',
    ])
  })

  it('takes the new one from the setting where the old one is there', async () => {
    const APP_SECRET = OLD
    const refused = await operatorAt({ ...settings, APP_SECRET }).run('secret', 'rotate')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('give the new one as NEW_APP_SECRET') })
    const NEW_APP_SECRET = 'the-new-secret-of-this-server'
    const operator = operatorAt({ ...settings, APP_SECRET, NEW_APP_SECRET })
    expect((await operator.run('secret', 'rotate')).err).toContain('set APP_SECRET to the new one')
    await needAllUnder(NEW_APP_SECRET)
    expect((await operator.run('secret', 'rotate')).err).toContain('this has been done already')
  })

  it('says so where the folder of the server is not named', async () => {
    const elsewhere = join(folder.path, 'not-the-server')
    const refused = await operatorAt({ ...settings, DATA_DIR: elsewhere }).run('secret', 'rotate')
    expect([refused.code, refused.err]).toEqual([
      1,
      `siarin: there is no ${elsewhere}. Set DATA_DIR to the server's folder\n`,
    ])
  })

  it('is refused while a server runs on the folder, and while a worker elsewhere does', async () => {
    const lock = await lockFolder(dataDir)
    expect((await operatorAt(settings).run('secret', 'rotate')).err).toContain('is in use by another Siarin')
    await lock.release()
    await db
      .insertInto('workers')
      .values({ name: 'elsewhere/1', room: 1, short_of: null, seen_at: Date.now() })
      .execute()
    expect((await operatorAt(settings).run('secret', 'rotate')).err).toContain('elsewhere/1 is running')
    await needAllUnder(OLD)
  })

  it('that a crash broke off is finished or left out by the next start', async () => {
    const config = { databaseUrl: databaseUrl(), dataDir, appSecret: null }
    const start = async () => (await openMigrated(config, log, anySealedKey)).db.destroy()
    await writeFile(join(dataDir, 'secret.next'), 'the-next-secret-of-this-server')
    await start()
    expect(await secretOf()).toBe(OLD)
    const next = createSealer(new Secret('the-next-secret-of-this-server'))
    await resealDatabase(db, sealed, next, (inside, marks) =>
      createBroadcastsRepo(inside).followMarks(marks, Date.now()),
    )
    await start()
    expect(await secretOf()).toBe('the-next-secret-of-this-server')
    await needAllUnder(await secretOf())
  })

  it('changes nothing where one of them cannot be opened', async () => {
    await db.updateTable('online_sources').set({ url_sealed: 'v1.damaged' }).execute()
    const { code, err } = await operatorAt(settings).run('secret', 'rotate')
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('online_sources o cannot be opened. Nothing'),
    })
    await db
      .updateTable('online_sources')
      .set({ url_sealed: sealed.seal(key('url')) })
      .execute()
    expect(await secretOf()).toBe(OLD)
    await needAllUnder(OLD)
  })
})
