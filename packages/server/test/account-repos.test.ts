import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountsRepo } from '../src/modules/accounts/accounts.repo.ts'
import { createActivityRepo } from '../src/modules/activity/activity.repo.ts'
import { createIdentityRepo } from '../src/modules/identity/identity.repo.ts'
import { type Db, uniqueViolation } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

describe.each(REPO_DATABASES)('what is kept of a person on $name', ({ open }) => {
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

  describe('activity', () => {
    const note = (at: number, change: object = {}, kept = 100) =>
      createActivityRepo(db).insert(
        { user_id: userId, kind: 'login', status: 'ok', address: '', device: '', at, detail: null, ...change },
        kept,
      )
    const times = async (limit = 100) =>
      (await createActivityRepo(db).recent(userId, limit)).map(({ at, kind }) => `${kind} ${at}`)

    it('is listed newest first, and no more than asked for', async () => {
      for (const at of [1, 3, 2]) await note(at)
      expect(await times(2)).toEqual(['login 3', 'login 2'])
    })

    it('is bounded for each kind: many of one push nothing else off', async () => {
      await note(1, { kind: 'registered' })
      for (let at = 2; at <= 9; at++) await note(at, { kind: 'login-failed' }, 3)
      expect(await times()).toEqual(['login-failed 9', 'login-failed 8', 'login-failed 7', 'registered 1'])
    })

    it('of others is left alone', async () => {
      const other = await addUser(db)
      await note(1, { user_id: other })
      for (let at = 2; at <= 5; at++) await note(at, {}, 1)
      expect(await createActivityRepo(db).recent(other, 10)).toHaveLength(1)
    })

    it('knows when something of a kind was last', async () => {
      await note(5, { kind: 'viewed-live' })
      await note(7, { kind: 'viewed-live' })
      expect(await createActivityRepo(db).lastAt(userId, 'viewed-live')).toBe(7)
      expect(await createActivityRepo(db).lastAt(userId, 'logout')).toBeNull()
    })
  })

  describe('platform accounts', () => {
    const add = async (change: object = {}): Promise<string> => {
      const id = randomUUID()
      const row = {
        id,
        user_id: userId,
        platform: 'bigo',
        name: 'Panggung',
        credential_sealed: 'sealed',
        credential_mark: id,
        created_at: 1_800_000_000_123,
        ...change,
      }
      await createAccountsRepo(db).insertWithin(row, 50)
      return id
    }

    it('are listed by platform, oldest first', async () => {
      const young = await add({ created_at: 2 })
      const old = await add({ created_at: 1 })
      await add({ platform: 'tiktok' })
      await add({ user_id: await addUser(db) })
      const repo = createAccountsRepo(db)
      expect((await repo.ofUser(userId, 'bigo')).map(({ id }) => id)).toEqual([old, young])
      expect(await repo.count(userId, 'bigo')).toBe(2)
      expect(await repo.count(userId, 'tiktok')).toBe(1)
    })

    it('are one per credential, user and platform', async () => {
      await add({ credential_mark: 'same' })
      expect(await add({ credential_mark: 'same' }).catch(uniqueViolation)).toContain('credential')
      expect(await add({ credential_mark: 'same', platform: 'tiktok' })).toEqual(expect.any(String))
      expect(await add({ credential_mark: 'same', user_id: await addUser(db) })).toEqual(expect.any(String))
    })

    it('are removed once, by their owner, on their platform', async () => {
      const repo = createAccountsRepo(db)
      const id = await add()
      expect(await repo.remove(await addUser(db), 'bigo', id)).toBeNull()
      expect(await repo.remove(userId, 'tiktok', id)).toBeNull()
      expect(await repo.remove(userId, 'bigo', id)).toMatchObject({ id, name: 'Panggung' })
      expect(await repo.remove(userId, 'bigo', id)).toBeNull()
    })
  })

  describe('open sessions', () => {
    it('are those neither ended nor past their time, last used first', async () => {
      const repo = createIdentityRepo(db)
      const begin = async (created_at: number, last_seen_at: number, ended_at: number | null = null) => {
        const id = randomUUID()
        const where = { address: '203.0.113.7', device: 'Peramban' }
        const times = { created_at, last_seen_at, ended_at }
        await repo.openSession({ id, user_id: userId, token_hash: id, ...times, ...where }, 'hash')
        return id
      }
      const quiet = await begin(100, 200)
      const busy = await begin(100, 300)
      await begin(100, 400, 500)
      await begin(100, 150)
      await begin(50, 400)
      expect((await repo.openSessions(userId, 150, 50, 10)).map(({ id }) => id)).toEqual([busy, quiet])
      expect(await repo.openSessions(userId, 150, 50, 1)).toHaveLength(1)
    })
  })
})
