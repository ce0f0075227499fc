import { randomUUID } from 'node:crypto'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { followOlderVersion } from '../src/modules/broadcasts/store/older-version.ts'
import { SCHEDULE_ENDED } from '../src/modules/broadcasts/store/scheduled-broadcasts.ts'
import { createStreamsRepo, type NewStream } from '../src/modules/broadcasts/store/streams.repo.ts'
import { type Db, migrate, uniqueViolation } from '../src/platform/db/database.ts'
import { migrations } from '../src/platform/db/migrations.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

const ENDED: StreamState = { at: 'ended', reason: 'stopped', cause: null }

const newStream = (userId: string, change: Partial<NewStream> = {}): NewStream => ({
  id: randomUUID(),
  user_id: userId,
  source: 'klip.mp4',
  platform: 'lain',
  target_sealed: 'sealed',
  target_host: 'example.org',
  target_mark: randomUUID(),
  looping: 1,
  desired: 'live',
  phase: 'queued',
  state: JSON.stringify(initialState),
  created_at: 100,
  ...change,
})

/** As a version that knows one table writes it. */
const olderColumns = (db: Db, id: string) =>
  sql<{ desired: string; end_cause: string | null; source: string }>`
    select desired, end_cause, source from streams where id = ${id}`
    .execute(db)
    .then(({ rows }) => rows[0])

describe.each(REPO_DATABASES)('a broadcast and its streams, on $name', ({ open, openEmpty }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())
  beforeEach(async () => {
    userId = await addUser(db)
  })

  const broadcastOf = (id: string) =>
    db.selectFrom('broadcasts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('begin with one stream, which has the id of its broadcast', async () => {
    const stream = newStream(userId, { title: 'Pagi', slot: 3 })
    await createStreamsRepo(db).insert(stream)
    expect(await broadcastOf(stream.id)).toMatchObject({ user_id: userId, title: 'Pagi', slot: 3, ended_at: null })
    expect(await createStreamsRepo(db).byId(stream.id)).toMatchObject({ broadcast_id: stream.id, title: 'Pagi' })
  })

  it('have one place of the plan each, until the last stream has ended', async () => {
    const repo = createStreamsRepo(db)
    const first = newStream(userId)
    await repo.insert(first)
    expect(await repo.insert(newStream(userId)).catch(uniqueViolation)).toContain('slot')
    const second = newStream(userId, { slot: 1 })
    await db
      .insertInto('streams')
      .values({ ...second, broadcast_id: first.id })
      .execute()

    await repo.change({ id: first.id, epoch: 0 }, { state: ENDED, reason: null, endedAt: 200 })
    expect((await broadcastOf(first.id)).ended_at).toBeNull()
    await repo.change({ id: second.id, epoch: 0 }, { state: ENDED, reason: null, endedAt: 300 })
    expect((await broadcastOf(first.id)).ended_at).toBe(300)
    await repo.insert(newStream(userId))
  })

  it('a stream that nobody has claimed ends with its broadcast', async () => {
    const repo = createStreamsRepo(db)
    const stream = newStream(userId)
    await repo.insert(stream)
    expect(await repo.endIfUnclaimed(stream.id, { state: ENDED, reason: null, endedAt: 200 })).toBe(true)
    expect((await broadcastOf(stream.id)).ended_at).toBe(200)
    expect(await repo.hasWanted(userId)).toBe(false)
  })

  it('what is wanted of it stands where the version before looks for it too', async () => {
    const repo = createStreamsRepo(db)
    const stream = newStream(userId)
    await repo.insert(stream)
    await repo.askEndOf(userId, 'ending', 'plan-ended')
    expect(await olderColumns(db, stream.id)).toMatchObject({ desired: 'ending', end_cause: 'plan-ended' })
    await repo.revokeEndOf(userId)
    expect(await olderColumns(db, stream.id)).toMatchObject({ desired: 'live', end_cause: null })
    await repo.askStop(stream.id, 'operator')
    expect(await olderColumns(db, stream.id)).toMatchObject({ desired: 'stopped', end_cause: 'operator' })
    const swappedTo = { videoId: 'gone', filename: 'lain.mp4' }
    await repo.change({ id: stream.id, epoch: 0 }, { state: initialState, reason: null, swappedTo })
    expect(await olderColumns(db, stream.id)).toMatchObject({ source: 'lain.mp4' })
  })

  it('what its schedule ends stays so when a plan ends and goes on meanwhile; a suspension ends it at once', async () => {
    const repo = createStreamsRepo(db)
    const stream = newStream(userId)
    await repo.insert(stream)
    const scheduled = { desired: 'ending', end_cause: SCHEDULE_ENDED }
    await db.updateTable('broadcasts').set(scheduled).where('id', '=', stream.id).execute()
    await repo.askEndOf(userId, 'ending', 'plan-ended')
    await repo.revokeEndOf(userId)
    expect(await broadcastOf(stream.id)).toMatchObject(scheduled)
    expect(await repo.byId(stream.id)).toMatchObject(scheduled)
    await repo.askEndOf(userId, 'stopped', 'suspended')
    expect(await repo.byId(stream.id)).toMatchObject({ desired: 'stopped', end_cause: 'suspended' })
  })

  it('what the version before did meanwhile is followed', async () => {
    const repo = createStreamsRepo(db)
    const [changed, ended, started] = [
      newStream(userId),
      newStream(userId, { slot: 1 }),
      newStream(userId, { slot: 2 }),
    ]
    await repo.insert(changed)
    await repo.insert(ended)
    await db
      .insertInto('streams')
      .values({ ...started, broadcast_id: null })
      .execute()
    await sql`update streams set desired = 'stopped', source = 'ganti.mp4' where id = ${changed.id}`.execute(db)
    await sql`update streams set phase = 'ended', ended_at = 900 where id = ${ended.id}`.execute(db)

    await followOlderVersion(db, 'worker-1')
    await followOlderVersion(db, 'worker-1')
    expect(await repo.byId(changed.id)).toMatchObject({ desired: 'stopped', source: 'ganti.mp4' })
    expect(await broadcastOf(ended.id)).toMatchObject({ ended_at: 900 })
    expect(await repo.byId(started.id)).toMatchObject({ broadcast_id: started.id, user_id: userId })
    expect((await repo.activeOf(userId)).map(({ id }) => id).sort()).toEqual([changed.id, started.id].sort())
  })

  describe('made of the streams of an earlier version', () => {
    let older: Awaited<ReturnType<typeof openEmpty>>
    beforeEach(async () => {
      older = await openEmpty()
    })
    afterEach(() => older.close())

    it('have everything that those had', async () => {
      const provider = { getMigrations: async () => migrations }
      await new Migrator({ db: older.db, provider }).migrateTo('0026-sequence-position')
      await sql`
        insert into users (id, username, username_key, email, password_hash, api_key_hash, api_key_sealed, created_at)
        values ('u', 'u', 'u', 'u', 'h', 'h', 's', 1)`.execute(older.db)
      const add = (id: string, phase: string, slot: number, endedAt: number | null) =>
        sql`
          insert into streams (id, user_id, source, platform, title, target_sealed, target_host, target_mark, looping,
            desired, phase, state, slot, created_at, ended_at)
          values (${id}, 'u', 'klip.mp4', 'lain', ${id}, 'sealed', 'host', ${id}, 1, 'live', ${phase}, '{}',
            cast(${slot} as integer), 7, cast(${endedAt} as bigint))`.execute(older.db)
      await add('live', 'live', 0, null)
      await add('waiting', 'waiting', 1, null)
      await add('over', 'ended', 0, 70)

      await migrate(older.db)
      const rows = await older.db.selectFrom('broadcasts').selectAll().orderBy('id').execute()
      expect(rows.map(({ id, title, slot, desired, ended_at }) => [id, title, slot, desired, ended_at])).toEqual([
        ['live', 'live', 0, 'live', null],
        ['over', 'over', 0, 'live', 70],
        ['waiting', 'waiting', 1, 'live', null],
      ])
      const repo = createStreamsRepo(older.db)
      expect((await repo.activeOf('u')).map(({ id }) => id).sort()).toEqual(['live', 'waiting'])
      expect((await repo.endedOf('u', 10)).map(({ id }) => id)).toEqual(['over'])
      await older.db.deleteFrom('users').execute()
      expect(await older.db.selectFrom('broadcasts').selectAll().execute()).toEqual([])
    })
  })
})
