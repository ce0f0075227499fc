import { randomUUID } from 'node:crypto'
import { initialState } from '@siarin/media/stream-state'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createStreamsRepo } from '../src/modules/broadcasts/store/streams.repo.ts'
import { createBroadcastsRepo } from '../src/modules/platforms/broadcasts.repo.ts'
import { findDue } from '../src/modules/platforms/due-broadcasts.ts'
import { createOnlineRepo } from '../src/modules/platforms/online.repo.ts'
import { type Db, uniqueViolation } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

const NOW = 1_800_000_000_000

describe.each(REPO_DATABASES)('what is kept of platforms on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())
  beforeEach(async () => {
    await db.deleteFrom('users').execute()
    userId = await addUser(db)
  })

  describe('online sources', () => {
    const add = async (change: object = {}): Promise<string> => {
      const id = randomUUID()
      const row = {
        id,
        user_id: userId,
        name: 'Kamera',
        url_sealed: 'sealed',
        url_mark: id,
        created_at: NOW,
        ...change,
      }
      await createOnlineRepo(db).insertWithin(row, 50)
      return id
    }

    it('are listed oldest first, counted and found, for their owner', async () => {
      const repo = createOnlineRepo(db)
      const young = await add({ created_at: 2 })
      const old = await add({ created_at: 1, url_mark: 'm' })
      await add({ user_id: await addUser(db), url_mark: 'm' })
      expect((await repo.ofUser(userId)).map(({ id }) => id)).toEqual([old, young])
      expect(await repo.count(userId)).toBe(2)
      expect(await repo.byMark(userId, 'm')).toMatchObject({ id: old })
      expect(await repo.byMark(userId, 'other')).toBeNull()
    })

    it('are one per address and user, and removed once, by their owner', async () => {
      const repo = createOnlineRepo(db)
      const id = await add({ url_mark: 'same' })
      expect(await add({ url_mark: 'same' }).catch(uniqueViolation)).toContain('url')
      expect(await repo.remove(await addUser(db), id)).toBe(false)
      expect(await repo.remove(userId, id)).toBe(true)
      expect(await repo.remove(userId, id)).toBe(false)
    })
  })

  describe('broadcasts at a platform', () => {
    const begin = async (change: object = {}): Promise<string> => {
      const id = randomUUID()
      const row = { id, user_id: userId, token_sealed: 'sealed', broadcast_id: '7', target_mark: id, created_at: NOW }
      await createBroadcastsRepo(db).insert({ ...row, ...change })
      return id
    }
    const addStream = async (mark: string, phase: string, change: object = {}): Promise<string> => {
      const id = randomUUID()
      await createStreamsRepo(db).insert({
        id,
        user_id: userId,
        source: 'klip.mp4',
        platform: 'tiktok',
        target_sealed: 'sealed',
        target_host: 'host',
        target_mark: mark,
        looping: 1,
        desired: 'live',
        phase,
        state: JSON.stringify(initialState),
        created_at: NOW + 1,
        ...change,
      })
      return id
    }
    const dueRows = (asked: { now: number; unusedBefore: number; limit: number }) =>
      findDue({ repo: createBroadcastsRepo(db), streamsAt: createStreamsRepo(db).atTargets }, asked)
    const due = async (now = NOW + 1_000, unusedBefore = NOW): Promise<string[]> =>
      (await dueRows({ now, unusedBefore, limit: 10 })).map(({ id }) => id)

    it('are due once their stream has ended, linked or not', async () => {
      const running = await begin()
      await addStream(running, 'live')
      const over = await begin()
      await addStream(over, 'ended')
      expect(await due()).toEqual([over])
      expect(await due(NOW + 1_000, NOW + 1)).toEqual([over])
    })

    it('are not due while another stream goes to the same target', async () => {
      const id = await begin()
      await addStream(id, 'ended')
      await addStream(id, 'waiting')
      expect(await due()).toEqual([])
    })

    it('are due after a while when no stream came; one from before, or of somebody else, does not count', async () => {
      const id = await begin()
      await addStream(id, 'ended', { created_at: NOW - 1 })
      await addStream(id, 'ended', { user_id: await addUser(db) })
      expect(await due()).toEqual([])
      expect(await due(NOW + 1_000, NOW + 1)).toEqual([id])
    })

    it('know their stream, and those without one are known', async () => {
      const repo = createBroadcastsRepo(db)
      const id = await begin()
      const other = await begin()
      const streamId = await addStream(id, 'live')
      await repo.link({ userId: await addUser(db), targetMark: id, streamId })
      expect(await repo.unused(userId)).toHaveLength(2)
      await repo.link({ userId, targetMark: id, streamId })
      expect((await repo.unused(userId)).map((row) => row.id)).toEqual([other])
      const row = await db.selectFrom('platform_broadcasts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      expect(row).toMatchObject({ stream_id: streamId, tries: 0, next_try_at: 0, ended_at: null })
    })

    it('are taken by one worker, and wait for their time', async () => {
      const repo = createBroadcastsRepo(db)
      const id = await begin()
      await addStream(id, 'ended')
      const [row] = await dueRows({ now: NOW, unusedBefore: 0, limit: 10 })
      if (!row) throw new Error('nothing is due')
      expect(await Promise.all([repo.take(row, NOW + 500), repo.take(row, NOW + 500)])).toEqual(
        expect.arrayContaining([true, false]),
      )
      expect(await due(NOW + 499)).toEqual([])
      expect(await due(NOW + 500)).toEqual([id])
      await repo.retryAt(id, NOW + 900)
      expect(await due(NOW + 899)).toEqual([])
      await repo.ended(id, NOW)
      expect(await due(NOW + 10_000)).toEqual([])
    })
  })
})
