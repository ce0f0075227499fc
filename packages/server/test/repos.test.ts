import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isDiskFull } from '../src/errors.ts'
import { createIdentityRepo } from '../src/modules/identity/identity.repo.ts'
import { createSecondFactorRepo } from '../src/modules/identity/second-factor.repo.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { BEFORE_ALL, type VideoPlace } from '../src/modules/library/read-videos.repo.ts'
import { type Db, migrate, uniqueViolation } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

const newKey = () => ({ api_key_hash: randomUUID(), api_key_sealed: 'sealed' })

const newSession = (userId: string) => ({
  id: randomUUID(),
  user_id: userId,
  token_hash: randomUUID(),
  created_at: 10,
  last_seen_at: 10,
  ended_at: null,
  address: '203.0.113.7',
  device: 'Peramban',
  device_id: null,
  confirmed_at: null,
})

describe.each(REPO_DATABASES)('the repositories on $name', ({ name, open }) => {
  let db: Db
  let file: string
  let close: () => Promise<void>

  beforeAll(async () => {
    ;({ db, file, close } = await open())
  })
  afterAll(() => close())

  let userId: string
  beforeEach(async () => {
    userId = await addUser(db)
  })

  it('migrate once: a second time nothing is left to do', async () => {
    expect(await migrate(db)).toEqual([])
  })

  if (name === 'SQLite') {
    it('write ahead, keep foreign keys and wait for a lock', async () => {
      const pragma = async (key: string) => (await sql.raw(`pragma ${key}`).execute(db)).rows[0]
      expect(await pragma('journal_mode')).toEqual({ journal_mode: 'wal' })
      expect(await pragma('foreign_keys')).toEqual({ foreign_keys: 1 })
      expect(await pragma('busy_timeout')).toEqual({ timeout: 5 })
    })

    it('come back to a locked database without holding the program up', async () => {
      const other = new SqliteDatabase(file)
      other.exec('begin exclusive')
      let ticks = 0
      const ticking = setInterval(() => ticks++, 20)
      const writing = createIdentityRepo(db).changeUsername(userId, 'Nama lain', randomUUID())
      // Reading goes on, though a writer waits.
      expect(await createIdentityRepo(db).userById(userId)).not.toBeNull()
      expect(other.inTransaction).toBe(true)
      // Each look at the lock takes a moment; in between everything else goes on.
      await waitFor('everything else to go on', async () => ticks > 20)
      clearInterval(ticking)
      other.exec('rollback')
      other.close()
      await writing
    })

    it('[SAFE-03] say of a transaction on a full disk that it is full, and go on', async () => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
      await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(db)
      const big = 'x'.repeat(1_000_000)
      const failed = await db
        .transaction()
        .execute((inside) => addUser(inside, { password_hash: big }))
        .catch((error) => error)
      await sql`pragma max_page_count = 4294967294`.execute(db)
      expect(failed).toMatchObject({ code: 'SQLITE_FULL' })
      expect(isDiskFull(failed)).toBe(true)
      expect(await db.transaction().execute((inside) => addUser(inside))).toEqual(expect.any(String))
    })

    it('begin a transaction when the lock is free, and none of it before', async () => {
      const [other, repo] = [new SqliteDatabase(file), createIdentityRepo(db)]
      other.exec('begin immediate')
      const oldHash = (await repo.userById(userId))?.password_hash ?? ''
      const changing = repo.changePassword(
        { userId, oldHash, newHash: 'another hash', newKey: newKey() },
        newSession(userId),
        2,
      )
      await sleep(300)
      expect((await repo.userById(userId))?.password_hash).not.toBe('another hash')
      other.exec('rollback')
      other.close()
      await changing
      expect((await repo.userById(userId))?.password_hash).toBe('another hash')
    })
  }

  describe('identity', () => {
    it('gives back what it was given, times as numbers', async () => {
      const user = await createIdentityRepo(db).userById(userId)
      expect(user).toMatchObject({ id: userId, credit: 0, created_at: 1_800_000_000_123 })
      expect(await createIdentityRepo(db).userByEmail(`${userId}@gmail.com`)).toEqual(user)
      expect(await createIdentityRepo(db).userById('nobody')).toBeNull()
    })

    it('says which of two unique things was taken', async () => {
      const sameEmail = await addUser(db, { email: `${userId}@gmail.com` }).catch(uniqueViolation)
      expect(sameEmail).toContain('email')
      const sameName = await addUser(db, { username_key: `nama ${userId}` }).catch(uniqueViolation)
      expect(sameName).toContain('username_key')
      expect(uniqueViolation(new Error('another'))).toBeNull()
    })

    it('opens no session under a password that is being changed', async () => {
      const repo = createIdentityRepo(db)
      for (let round = 0; round < 5; round++) {
        const id = await addUser(db)
        const kept = newSession(id)
        await repo.openSession(newSession(id), 'hash')
        const logins = () => Promise.all(Array.from({ length: 6 }, () => repo.openSession(newSession(id), 'hash')))
        const change = { userId: id, oldHash: 'hash', newHash: 'another', newKey: newKey() }
        const [, changed] = await Promise.all([logins(), repo.changePassword(change, kept, 20), logins()])
        expect(changed).toBe(true)
        expect((await repo.openSessions(id, 0, 0, 100)).map((open) => open.id)).toEqual([kept.id])
        expect(await repo.openSession(newSession(id), 'hash')).toBe(false)
        expect(await repo.changePassword(change, newSession(id), 30)).toBe(false)
      }
    })

    it('[SAFE-02] gives no new API key, and no second factor, to a session that a new password has ended', async () => {
      const repo = createIdentityRepo(db)
      const session = newSession(userId)
      await repo.openSession(session, 'hash')
      const caller = { userId, sessionId: session.id }
      expect(await repo.changeApiKey(caller, newKey())).toBe(true)
      const factors = createSecondFactorRepo(db)
      await factors.propose(userId, 'sealed', 10)
      const change = { userId, oldHash: 'hash', newHash: 'another', newKey: newKey() }
      // Whatever comes first: the key of the new password stands.
      await Promise.all([repo.changePassword(change, newSession(userId), 20), repo.changeApiKey(caller, newKey())])
      expect(await repo.userById(userId)).toMatchObject(change.newKey)
      expect(await repo.changeApiKey(caller, newKey())).toBe(false)
      const confirmation = { secretSealed: 'sealed', step: 1, codeMarks: ['mark'], now: 30 }
      expect(await factors.confirm(caller, confirmation)).toBe(false)
    })

    it('keeps the newest sessions of each user, and not without end', async () => {
      const [repo, other] = [createIdentityRepo(db), await addUser(db)]
      await repo.openSession(newSession(other), 'hash')
      for (let at = 0; at < 205; at++) await repo.openSession({ ...newSession(userId), created_at: at }, 'hash')
      const kept = await repo.openSessions(userId, -1, -1, 1_000)
      expect(kept.map(({ created_at }) => created_at).sort((a, b) => a - b)[0]).toBe(5)
      expect(kept).toHaveLength(200)
      expect(await repo.openSessions(other, -1, -1, 10)).toHaveLength(1)
    })

    it('takes codes again after a clock that was ahead, and none twice', async () => {
      const factors = createSecondFactorRepo(db)
      await factors.propose(userId, 'sealed', 10)
      expect([await factors.useStep(userId, 5_000), await factors.useStep(userId, 5_000)]).toEqual([true, false])
      expect([await factors.useStep(userId, 100), await factors.useStep(userId, 99)]).toEqual([true, false])
    })

    it('[SAFE-02] puts no other second factor in force than the one whose code was looked at', async () => {
      const [repo, factors, session] = [createIdentityRepo(db), createSecondFactorRepo(db), newSession(userId)]
      await repo.openSession(session, 'hash')
      const caller = { userId, sessionId: session.id }
      await factors.propose(userId, 'first', 10)
      await factors.propose(userId, 'second', 10)
      const confirmation = { step: 1, codeMarks: [`mark ${userId}`], now: 30 }
      expect(await factors.confirm(caller, { ...confirmation, secretSealed: 'first' })).toBe(false)
      expect(await factors.confirm(caller, { ...confirmation, secretSealed: 'second' })).toBe(true)
    })

    it('ends a session once: the first end stands', async () => {
      const repo = createIdentityRepo(db)
      const session = newSession(userId)
      expect(await repo.openSession(session, 'hash')).toBe(true)
      await repo.touchSession(session.id, 20)
      expect(await repo.endSession(await addUser(db), session.id, 25)).toBe(false)
      expect(await repo.endSession(userId, session.id, 30)).toBe(true)
      expect(await repo.endSession(userId, session.id, 40)).toBe(false)
      expect(await repo.sessionById(session.id)).toEqual({ ...session, last_seen_at: 20, ended_at: 30 })
      expect(await repo.lastLoginAt(userId)).toBe(10)
    })
  })

  async function addVideo(change: object = {}): Promise<string> {
    const id = randomUUID()
    await createLibraryRepo(db).insert({
      id,
      user_id: userId,
      filename: `${id}.mp4`,
      status: 'processing',
      original_bytes: 5_000_000_000,
      duration_ms: 61_500,
      fps: 29.97,
      original_key: `${userId}/${id}/original.mp4`,
      content_type: 'video/mp4',
      created_at: 100,
      ...change,
    })
    return id
  }

  describe('library', () => {
    it('keeps sizes beyond 32 bits', async () => {
      const video = await createLibraryRepo(db).byId(await addVideo())
      expect(video).toMatchObject({ original_bytes: 5_000_000_000, fps: 29.97, master: null })
    })

    it('adds up what a user takes: each video once, by its larger file', async () => {
      const repo = createLibraryRepo(db)
      expect(await repo.usedBytes(userId)).toBe(0)
      await addVideo()
      const made = { recipe: 'as-is', key: '', content_type: '', state: 'ready', created_at: 0 } as const
      for (const bytes of [5, 15]) {
        const id = await addVideo({ original_bytes: 10 })
        await db
          .insertInto('renditions')
          .values({ ...made, id, video_id: id, bytes })
          .execute()
      }
      expect(await repo.usedBytes(userId)).toBe(5_000_000_025)
    })

    it('says whether a video was still there to be changed', async () => {
      const repo = createLibraryRepo(db)
      const id = await addVideo()
      expect(await repo.update(id, { progress: 43 })).toBe(true)
      await repo.remove(id)
      expect(await repo.update(id, { progress: 44 })).toBe(false)
    })

    it('knows a file name once per user', async () => {
      await addVideo({ filename: 'klip.mp4' })
      expect(await addVideo({ filename: 'klip.mp4' }).catch(uniqueViolation)).toMatch(/filename/)
      expect(await addVideo({ filename: 'klip.mp4', user_id: await addUser(db) })).toEqual(expect.any(String))
    })

    it('lists newest first, and what is unfinished only while it is', async () => {
      const repo = createLibraryRepo(db)
      const old = await addVideo({ created_at: 1 })
      const young = await addVideo({ created_at: 2 })
      expect((await repo.pageOf(userId, null, 100)).map(({ id }) => id)).toEqual([young, old])
      await repo.update(old, { status: 'ready' })
      const unfinished = async (before: number) =>
        (await repo.unfinished(before, BEFORE_ALL, 1_000)).map(({ id }) => id)
      expect(await unfinished(2)).toContain(young)
      expect(await unfinished(2)).not.toContain(old)
      expect(await unfinished(1)).not.toContain(young)
    })

    it('reads what waits in pages, and who waits for which job once, however many videos there are', async () => {
      const repo = createLibraryRepo(db)
      const at = (created_at: number, change = {}) => addVideo({ created_at, ...change })
      const [second, first] = [await at(12), await at(11, { step: 'preparing' })]
      const long = await at(13, { lane: 'long' })
      for (const url of ['a', 'b']) await at(14, { step: 'importing', import_url_sealed: url })
      const own = async (lane: 'quick' | 'long', behind: VideoPlace, most: number) =>
        (await repo.preparationsOf({ userId, lane }, behind, most)).map(({ id }) => id)
      expect(await own('quick', BEFORE_ALL, 1)).toEqual([first])
      expect(await own('quick', { createdAt: 11, id: first }, 9)).toEqual([second])
      expect(await own('long', BEFORE_ALL, 9)).toEqual([long])
      expect((await repo.unfinished(20, { createdAt: 11, id: first }, 1)).map(({ id }) => id)).toEqual([second])
      const jobs = (await repo.waitingJobs(20)).filter((job) => job.userId === userId)
      expect(new Set(jobs.map(({ kind }) => kind))).toEqual(new Set(['prepare-video', 'encode-video', 'import-video']))
      expect(jobs).toHaveLength(4)
    })
  })
})
