import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createIdentityRepo } from '../src/modules/identity/identity.repo.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createStreamsRepo } from '../src/modules/streams/streams.repo.ts'
import { type Db, migrate, uniqueViolation } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

const newSession = (userId: string) => ({
  id: randomUUID(),
  user_id: userId,
  token_hash: randomUUID(),
  created_at: 10,
  last_seen_at: 10,
  ended_at: null,
  address: '203.0.113.7',
  device: 'Peramban',
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
      const writing = createIdentityRepo(db).changeApiKey(userId, randomUUID(), 'sealed')
      // Reading goes on, though a writer waits.
      expect(await createIdentityRepo(db).userById(userId)).not.toBeNull()
      expect(other.inTransaction).toBe(true)
      await sleep(1_500)
      clearInterval(ticking)
      other.exec('rollback')
      other.close()
      await writing
      // Each look at the lock takes a moment; in between everything else goes on.
      expect(ticks).toBeGreaterThan(20)
    })

    it('begin a transaction when the lock is free, and none of it before', async () => {
      const [other, repo] = [new SqliteDatabase(file), createIdentityRepo(db)]
      other.exec('begin immediate')
      const oldHash = (await repo.userById(userId))?.password_hash ?? ''
      const changing = repo.changePassword({ userId, oldHash, newHash: 'another hash' }, 'no session', 2)
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
        await repo.openSession(kept, 'hash')
        const logins = () => Promise.all(Array.from({ length: 6 }, () => repo.openSession(newSession(id), 'hash')))
        const change = { userId: id, oldHash: 'hash', newHash: 'another' }
        const [, changed] = await Promise.all([logins(), repo.changePassword(change, kept.id, 20), logins()])
        expect(changed).toBe(true)
        expect((await repo.openSessions(id, 0, 0, 100)).map((open) => open.id)).toEqual([kept.id])
        expect(await repo.openSession(newSession(id), 'hash')).toBe(false)
        expect(await repo.changePassword(change, kept.id, 30)).toBe(false)
      }
    })

    it('ends a session once: the first end stands', async () => {
      const repo = createIdentityRepo(db)
      const session = newSession(userId)
      expect(await repo.openSession(session, 'hash')).toBe(true)
      await repo.touchSession(session.id, 20)
      expect(await repo.endSession(await addUser(db), session.id, 25)).toBe(false)
      expect(await repo.endSession(userId, session.id, 30)).toBe(true)
      expect(await repo.endSession(userId, session.id, 40)).toBe(false)
      expect(await repo.sessionByTokenHash(session.token_hash)).toEqual({ ...session, last_seen_at: 20, ended_at: 30 })
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
      master_bytes: 0,
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
      expect(video).toMatchObject({ original_bytes: 5_000_000_000, fps: 29.97, master_key: null })
    })

    it('adds up what a user takes: each video once, by its larger file', async () => {
      const repo = createLibraryRepo(db)
      expect(await repo.usedBytes(userId)).toBe(0)
      await addVideo()
      await addVideo({ original_bytes: 10, master_bytes: 5 })
      await addVideo({ original_bytes: 10, master_bytes: 15 })
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
      expect((await repo.ofUser(userId)).map(({ id }) => id)).toEqual([young, old])
      await repo.update(old, { status: 'ready' })
      const unfinished = (await repo.unfinished(2)).map(({ id }) => id)
      expect(unfinished).toContain(young)
      expect(unfinished).not.toContain(old)
      expect((await repo.unfinished(1)).map(({ id }) => id)).not.toContain(young)
    })
  })

  describe('streams', () => {
    const live: StreamState = {
      at: 'live',
      sinceMs: 7,
      failures: 0,
      accepted: true,
      offAirSinceMs: null,
      firstLiveMs: 7,
      reconnects: 0,
    }
    const ended: StreamState = { at: 'ended', reason: 'stopped', cause: null }

    let places = 0
    async function addStream(change: object = {}): Promise<string> {
      const id = randomUUID()
      places += 1
      await createStreamsRepo(db).insert({
        id,
        user_id: userId,
        video_id: null,
        source: 'klip.mp4',
        platform: 'lain',
        title: null,
        target_sealed: 'sealed',
        target_host: 'example.org',
        target_mark: id,
        slot: places,
        looping: 1,
        desired: 'live',
        phase: 'queued',
        state: JSON.stringify(initialState),
        reason: null,
        worker: null,
        pid: null,
        pid_birth: null,
        created_at: 100,
        live_since: null,
        ended_at: null,
        ...change,
      })
      return id
    }

    it('a claim raises the epoch, and the holder of an older one writes nothing any more', async () => {
      const repo = createStreamsRepo(db)
      const id = await addStream()
      const first = await repo.claim(id, 'one')
      const second = await repo.claim(id, 'two')
      expect([first?.epoch, second?.epoch]).toEqual([1, 2])
      expect(await repo.change({ id, epoch: 1 }, { state: ended, reason: null })).toBe(false)
      expect(
        await repo.change(
          { id, epoch: 2 },
          { state: live, reason: null, liveSince: 7, process: { pid: 5, birth: 'b' } },
        ),
      ).toBe(true)
      expect(await repo.byId(id)).toMatchObject({ phase: 'live', worker: 'two', live_since: 7, pid: 5, pid_birth: 'b' })
    })

    it('the video that was changed to is theirs, and what was asked for since stays', async () => {
      const repo = createStreamsRepo(db)
      const [first, second, third] = [await addVideo(), await addVideo(), await addVideo()]
      const id = await addStream({ video_id: first, next_video_id: second })
      await repo.claim(id, 'one')
      const swapTo = (videoId: string, epoch = 1) =>
        repo.change({ id, epoch }, { state: live, reason: null, swappedTo: { videoId, filename: `${videoId}.mp4` } })
      expect(await swapTo(second, 0)).toBe(false)
      expect(await repo.byId(id)).toMatchObject({ video_id: first, next_video_id: second, source: 'klip.mp4' })
      expect(await swapTo(second)).toBe(true)
      expect(await repo.byId(id)).toMatchObject({ video_id: second, next_video_id: null, source: `${second}.mp4` })
      await repo.askSwap(id, third)
      expect(await swapTo(second)).toBe(true)
      expect(await repo.byId(id)).toMatchObject({ video_id: second, next_video_id: third })
      // Deleted before it could be written: its name is what is left to tell.
      expect(await swapTo('gone')).toBe(true)
      expect(await repo.byId(id)).toMatchObject({ video_id: null, next_video_id: third, source: 'gone.mp4' })
    })

    it('the figures of many are written at once, but for one that another worker has now', async () => {
      const repo = createStreamsRepo(db)
      const ids = [await addStream(), await addStream(), await addStream()]
      for (const id of ids) await repo.claim(id, 'one')
      const [mine = '', too = '', lost = ''] = ids
      await repo.claim(lost, 'two')
      const written = await repo.writeFigures(
        ids.map((id) => ({
          claim: { id, epoch: 1 },
          sample: { bitrateKbps: id === mine ? 2_500.4 : null, speed: 0.99, frames: 3_000_000_000 },
          position: { ms: 1_234.4, fromMs: -9_000 },
        })),
      )
      expect(written).toEqual(new Set([mine, too]))
      const figures = { speed: 0.99, frames: 3_000_000_000, position_ms: 1_234, position_from_ms: -9_000 }
      expect(await repo.byId(mine)).toMatchObject({ ...figures, bitrate_kbps: 2_500.4 })
      expect(await repo.byId(too)).toMatchObject({ ...figures, bitrate_kbps: null })
      expect(await repo.byId(lost)).toMatchObject({ speed: null, position_ms: 0 })
    })

    it('go to one target one at a time', async () => {
      const repo = createStreamsRepo(db)
      const before = await repo.countActive()
      const first = await addStream({ target_mark: 'same' })
      expect(await addStream({ target_mark: 'same' }).catch(uniqueViolation)).toContain('target')
      expect(await repo.countActive()).toBe(before + 1)
      await repo.endIfUnclaimed(first, { state: ended, reason: null, endedAt: 9 })
      expect(await addStream({ target_mark: 'same' })).toEqual(expect.any(String))
    })

    it('an ended one cannot be claimed, and is not active', async () => {
      const repo = createStreamsRepo(db)
      const id = await addStream()
      const row = await repo.claim(id, 'one')
      await repo.change({ id, epoch: row?.epoch ?? 0 }, { state: ended, reason: null, endedAt: 9 })
      expect(await repo.claim(id, 'two')).toBeNull()
      expect(await repo.activeOf(userId)).toEqual([])
      expect(await repo.activeIds()).not.toContain(id)
    })

    it('one that nobody has taken is ended at once, one that somebody has is not', async () => {
      const repo = createStreamsRepo(db)
      const [free, taken] = [await addStream(), await addStream()]
      await repo.claim(taken, 'one')
      expect(await repo.endIfUnclaimed(free, { state: ended, reason: null, endedAt: 9 })).toBe(true)
      expect(await repo.endIfUnclaimed(taken, { state: ended, reason: null, endedAt: 9 })).toBe(false)
      await repo.askStop(taken)
      expect((await repo.endAskedOf('one')).map(({ id }) => id)).toContain(taken)
      expect((await repo.endAskedOf('two')).map(({ id }) => id)).not.toContain(taken)
    })

    it('keep a video in use until they end', async () => {
      const repo = createStreamsRepo(db)
      const videoId = await addVideo()
      const id = await addStream({ video_id: videoId })
      expect(await repo.isVideoInUse(videoId)).toBe(true)
      await repo.endIfUnclaimed(id, { state: ended, reason: null, endedAt: 9 })
      expect(await repo.isVideoInUse(videoId)).toBe(false)
      await createLibraryRepo(db).remove(videoId)
      expect(await repo.byId(id)).toMatchObject({ video_id: null })
    })
  })
})
