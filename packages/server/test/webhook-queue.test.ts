import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clearOldRows } from '../src/modules/housekeeping/index.ts'
import { createDeliveryQueue, type DeliveryRow } from '../src/modules/webhooks/delivery-queue.repo.ts'
import { createEndpointsRepo } from '../src/modules/webhooks/endpoints.repo.ts'
import type { TryResult, Verdict } from '../src/modules/webhooks/judge-try.ts'
import { createPlaces } from '../src/modules/webhooks/places.ts'
import { createTakeFacts } from '../src/modules/webhooks/take-facts.ts'
import type { Db } from '../src/platform/db/database.ts'
import { lastFactId, writeFacts } from '../src/platform/outbox/facts.ts'
import { addUser, clearUsers, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const CLAIM_MS = 30_000
const DAY_MS = 86_400_000
const nobody = createPlaces().full()
const TAKEN: TryResult = { status: 204, code: null, retryAfterMs: null, answer: '', durationMs: 1 }
const FAILED: TryResult = { ...TAKEN, status: 500, code: 'bad-status' }

describe.each(REPO_DATABASES)('the queue of webhooks, on $name', ({ open }) => {
  let opened: RepoDatabase
  let db: Db
  let userId: string
  let factId: number

  beforeAll(async () => {
    opened = await open()
    db = opened.db
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    userId = await addUser(db)
    factId = 0
  })
  afterEach(() => clearUsers(db))

  async function addEndpoint(id: string): Promise<void> {
    const sealed = { url_sealed: 's', secret_sealed: 's' }
    await db
      .insertInto('webhook_endpoints')
      .values({ id, user_id: userId, ...sealed, description: '', events: '["stream.live"]', created_at: 0 })
      .execute()
  }

  const told = (subjectId: string) => ({
    ...{ id: ++factId, at: 1, userId, subjectKind: 'stream', subjectId, fact: 'stream.live', payload: '{}' },
  })
  const take = async (subjects: readonly string[], perEndpoint = 10_000, perUser = 20_000) => {
    const facts = subjects.map(told)
    const most = { perEndpoint, perUser }
    const takeFacts = createTakeFacts({ streamWords: async () => new Map(), now: () => 1, most })
    const done = await db.transaction().execute((inside) => takeFacts(inside, facts))
    factId -= facts.length - done
    return done
  }
  const finish = async (row: DeliveryRow, tried: TryResult, verdict: Verdict, now: number, isSure = true) =>
    (await createDeliveryQueue(db).finish([{ row, address: 's', tried, verdict, now, isSure }]))[0]
  const rows = () => db.selectFrom('webhook_deliveries').selectAll().orderBy('fact_id').execute()

  it('[HOOK-02] has the first of each subject due, and the next once that is over', async () => {
    await addEndpoint('e')
    const queue = createDeliveryQueue(db)
    await take(['a', 'a', 'b'])
    await take(['a', 'b'])
    const due = async () => (await rows()).map(({ due_at }) => due_at !== null)
    expect(await due()).toEqual([true, false, true, false, false])
    const [first] = await rows()
    const [claimed = expect.unreachable()] = await queue.claim([first?.id ?? ''], 5, CLAIM_MS)
    expect(await queue.claim([claimed.id], 5, CLAIM_MS)).toEqual([])
    expect(await finish(claimed, FAILED, { is: 'again', atMs: 99 }, 6)).toBeNull()
    expect(await due()).toEqual([true, false, true, false, false])
    const [again] = await queue.claim([claimed.id], 100, CLAIM_MS)
    // Its earlier holder writes nothing any more.
    await finish(claimed, TAKEN, { is: 'delivered' }, 101)
    expect((await rows())[0]?.state).toBe('waiting')
    if (again) await finish(again, TAKEN, { is: 'delivered' }, 102)
    expect(await due()).toEqual([false, true, true, false, false])
  })

  it('[HOOK-01] has nothing of what was told before its endpoint was added, however late that is taken', async () => {
    await writeFacts(db, { kind: 'stream', id: 'a', userId }, [{ at: 1, fact: 'stream.live', payload: {} }])
    const endpoint = { id: 'e', user_id: userId, url_sealed: 's', secret_sealed: 's', description: '', created_at: 0 }
    await createEndpointsRepo(db).insertWithin({ ...endpoint, events: '["stream.live"]' }, 1)
    factId = (await lastFactId(db)) - 1
    await take(['a', 'a'])
    expect((await rows()).map(({ fact_id }) => fact_id)).toEqual([(await lastFactId(db)) + 1])
  })

  it('[HOOK-02] claimed by several programs at once, each goes to one of them', async () => {
    await addEndpoint('e')
    await take(Array.from({ length: 40 }, (_, index) => `s${index}`))
    const programs = Array.from({ length: 4 }, () => createDeliveryQueue(db))
    const claimed = await Promise.all(
      programs.map(async (queue) =>
        queue.claim(
          (await queue.due(2, nobody)).rows.map(({ id }) => id),
          2,
          CLAIM_MS,
        ),
      ),
    )
    const ids = claimed.flat().map(({ id }) => id)
    expect(ids).toHaveLength(40)
    expect(new Set(ids).size).toBe(40)
    // What they do not give back is due again.
    expect((await programs[0]?.due(2 + CLAIM_MS, nobody))?.rows).toHaveLength(40)
    expect(await programs[0]?.nextAfter(2)).toBe(2 + CLAIM_MS)
  })

  it('[HOOK-02] lets the oldest go where too many wait, and says how many', async () => {
    await addEndpoint('e')
    await take(['a', 'b', 'a', 'b', 'c', 'a'], 4)
    const all = await rows()
    expect(all.map(({ state, result }) => `${state} ${result}`)).toEqual([
      ...['failed queue-full', 'failed queue-full', 'waiting null', 'waiting null', 'waiting null', 'waiting null'],
    ])
    expect(all.map(({ due_at }) => due_at !== null)).toEqual([false, false, true, true, true, false])
    await take(['c'], 4)
    const [endpoint] = await createEndpointsRepo(db).list(userId)
    expect(endpoint?.dropped).toBe(3)
  })

  it('[HOOK-02] lets the oldest of a user go where all endpoints together have too many, and nothing of others', async () => {
    for (const id of ['e', 'paused']) await addEndpoint(id)
    await take(['a', 'a'])
    await createEndpointsRepo(db).pause(userId, 'paused')
    await take(['a', 'b', 'b'], 10_000, 5)
    const all = await rows()
    expect(all.map((row) => `${row.endpoint_id} ${row.fact_id} ${row.state} ${row.due_at !== null}`).sort()).toEqual([
      ...['e 1 failed false', 'e 2 waiting true', 'e 3 waiting false', 'e 4 waiting true', 'e 5 waiting false'],
      ...['paused 1 failed false', 'paused 2 waiting true'],
    ])
    const dropped = (await createEndpointsRepo(db).list(userId)).map((row) => `${row.id} ${row.dropped}`)
    expect(dropped.sort()).toEqual(['e 1', 'paused 1'])
  })

  it('[HOOK-02] takes no more facts at once than make 200 rows', async () => {
    for (let n = 0; n < 20; n++) await addEndpoint(`e${n}`)
    expect(await take(Array.from({ length: 25 }, () => 'a'))).toBe(10)
    expect(await rows()).toHaveLength(200)
  })

  it('[HOOK-02] stands still while its endpoint is not active, and goes on in order', async () => {
    await addEndpoint('e')
    const endpoints = createEndpointsRepo(db)
    const queue = createDeliveryQueue(db)
    await take(['a', 'a', 'b'])
    const [held] = await queue.claim([(await rows())[0]?.id ?? ''], 2, CLAIM_MS)
    await endpoints.pause(userId, 'e')
    expect((await queue.due(DAY_MS, nobody)).rows).toEqual([])
    await take(['a'])
    // It was under way when its owner paused it.
    if (held) await finish(held, TAKEN, { is: 'delivered' }, 4)
    expect((await rows()).map(({ state, due_at }) => `${state} ${due_at}`)).toEqual([
      ...['delivered null', 'waiting null', 'waiting 1'],
    ])
    expect(await endpoints.resumeWithin(userId, 'e', { most: 1, now: 9 })).toBe(true)
    expect((await rows()).map(({ due_at }) => due_at)).toEqual([null, 9, 9])
  })

  it('[HOOK-02] begins its tries anew when its endpoint is resumed, and whoever tried before writes nothing any more', async () => {
    await addEndpoint('e')
    const [endpoints, queue] = [createEndpointsRepo(db), createDeliveryQueue(db)]
    await take(['a'])
    const id = (await rows())[0]?.id ?? ''
    const claimAt = async (now: number) => (await queue.claim([id], now, CLAIM_MS))[0]
    for (const now of [2, 3]) {
      const tried = await claimAt(now)
      if (tried) await finish(tried, FAILED, { is: 'again', atMs: now + 1 }, now)
    }
    const held = await claimAt(4)
    await endpoints.pause(userId, 'e')
    await endpoints.resumeWithin(userId, 'e', { most: 1, now: 6 })
    const tries = []
    for (const now of [7, 8, 9]) {
      const again = await claimAt(now)
      tries.push(again?.tries)
      // It has as many tries as the one before the pause.
      if (again && held && again.tries === held.tries) await finish(held, TAKEN, { is: 'delivered' }, now)
      else if (again) await finish(again, FAILED, { is: 'again', atMs: now + 1 }, now)
    }
    expect([tries, (await rows())[0]?.state]).toEqual([[1, 2, 3], 'waiting'])
  })

  it('[HOOK-02] lets nothing that waits grow too old for what follows it, and sends nothing a week old after a pause', async () => {
    for (const id of ['e', 'paused']) await addEndpoint(id)
    const endpoints = createEndpointsRepo(db)
    await take(['a', 'a'])
    await endpoints.pause(userId, 'paused')
    await db
      .updateTable('webhook_deliveries')
      .set({ created_at: 8 * DAY_MS })
      .where('fact_id', '=', 2)
      .execute()
    const left = async (id: string) =>
      (await rows()).filter(({ endpoint_id }) => endpoint_id === id).map(({ fact_id, due_at }) => [fact_id, due_at])
    // The first of each subject is more than a week old.
    await clearOldRows(db, 7.5 * DAY_MS)
    expect([await left('e'), await left('paused')]).toEqual([
      [
        [1, 1],
        [2, null],
      ],
      [
        [1, 1],
        [2, null],
      ],
    ])
    const resumedAt = 9 * DAY_MS
    await clearOldRows(db, resumedAt)
    expect(await left('paused')).toEqual([[2, null]])
    await endpoints.resumeWithin(userId, 'paused', { most: 2, now: resumedAt })
    expect([await left('e'), await left('paused')]).toEqual([
      [
        [1, 1],
        [2, null],
      ],
      [[2, resumedAt]],
    ])
    await endpoints.pause(userId, 'e')
    await endpoints.resumeWithin(userId, 'e', { most: 2, now: resumedAt })
    expect(await left('e')).toEqual([[2, resumedAt]])
  })

  it('[HOOK-02] an endpoint for which nothing worked for three days is switched off, its queue with it', async () => {
    await addEndpoint('e')
    const queue = createDeliveryQueue(db)
    await take(['a', 'b'])
    // The clock was ahead for a while, and may have been: that was no three days.
    for (const now of [10, 40 * DAY_MS, 2 * DAY_MS, 3 * DAY_MS + 11]) {
      const [row = expect.unreachable()] = await queue.claim([(await rows())[0]?.id ?? ''], now, CLAIM_MS)
      const isSure = now < 40 * DAY_MS
      const disabled = await finish(row, FAILED, { is: 'again', atMs: isSure ? now + 1 : 11 }, now, isSure)
      expect(disabled).toBe(isSure && now > 3 * DAY_MS ? 'failing' : null)
    }
    const [endpoint] = await createEndpointsRepo(db).list(userId)
    expect(endpoint).toMatchObject({ state: 'disabled', state_reason: 'failing', failing_since: 10 })
    expect((await queue.due(9 * DAY_MS, nobody)).rows).toEqual([])
  })

  it('[HOOK-02] keeps no more of what is over than was said', async () => {
    await addEndpoint('e')
    const queue = createDeliveryQueue(db)
    await take(Array.from({ length: 9 }, (_, index) => `s${index}`))
    for (const [index, row] of (await rows()).entries()) {
      const [claimed] = await queue.claim([row.id], 2, CLAIM_MS)
      if (claimed && index < 8) await finish(claimed, TAKEN, { is: 'delivered' }, 10 + index)
    }
    expect(await queue.trimFinished('e', 5)).toBe(3)
    expect((await rows()).map(({ finished_at }) => finished_at)).toEqual([13, 14, 15, 16, 17, null])
    expect(await queue.trimFinished('e', 5)).toBe(0)
  })

  it('[HOOK-02] whatever is killed: each is delivered, in the order of its subject', async () => {
    const subjects = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(subjects, fc.infiniteStream(fc.nat(9)), async (stream, chances) => {
        const id = `e${++run}`
        await db.deleteFrom('webhook_endpoints').execute()
        await addEndpoint(id)
        const queue = createDeliveryQueue(db)
        const chance = () => chances.next().value ?? 0
        const half = chance() % stream.length
        await take(stream.slice(0, half))
        const first = factId - half
        const got: number[] = []
        for (let now = 2; ; now += CLAIM_MS + 1) {
          if (now > 10 * (CLAIM_MS + 1) || stream.length === half) {
            if (factId - first < stream.length) await take(stream.slice(half))
            if ((await queue.nextAfter(0)) === null) break
          }
          for (const row of await queue.claim(
            (await queue.due(now, nobody)).rows.map((each) => each.id),
            now,
            CLAIM_MS,
          )) {
            // Killed before it was sent; killed after it was sent; failed; taken.
            const fate = chance()
            if (fate === 0) continue
            got.push(Number(row.fact_id))
            if (fate === 1) continue
            if (fate === 2) await finish(row, FAILED, { is: 'again', atMs: now + 5 }, now)
            else await finish(row, TAKEN, { is: 'delivered' }, now)
          }
        }
        const all = await rows()
        expect(all.every(({ state }) => state === 'delivered')).toBe(true)
        expect(new Set(got).size).toBe(stream.length)
        for (const subject of ['a', 'b', 'c']) {
          const own = new Set(
            all.filter((row) => row.subject === `stream:${subject}`).map((row) => Number(row.fact_id)),
          )
          const order = got.filter((fact) => own.has(fact))
          expect(order).toEqual(order.toSorted((one, other) => one - other))
        }
      }),
      { numRuns: 15 },
    )
  })
})
