import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClaims } from '../src/modules/webhooks/claim-deliveries.ts'
import { createDeliveryQueue } from '../src/modules/webhooks/delivery-queue.repo.ts'
import { createEndpointsRepo } from '../src/modules/webhooks/endpoints.repo.ts'
import { createPlaces } from '../src/modules/webhooks/places.ts'
import type { Db } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const HOUR_MS = 3_600_000
const nobody = createPlaces().full()

describe.each(REPO_DATABASES)('much that waits for webhooks, on $name', ({ open }) => {
  let opened: RepoDatabase
  let db: Db

  beforeEach(async () => {
    opened = await open()
    db = opened.db
  })
  afterEach(() => opened.close())

  /** It belongs to somebody new. */
  async function addEndpoint(id: string): Promise<string> {
    const user_id = await addUser(db)
    const sealed = { url_sealed: 's', secret_sealed: 's' }
    await db
      .insertInto('webhook_endpoints')
      .values({ id, user_id, ...sealed, description: '', events: '["stream.live"]', created_at: 0 })
      .execute()
    return user_id
  }

  /** Each about a subject of its own, so all of them are due. */
  async function addDue(endpoint_id: string, user_id: string, count: number, due_at: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ id: `${endpoint_id}-${index}`, endpoint_id, user_id, fact_id: index + 1, event: 'stream.live' },
      ...{ subject: `stream:${index}`, body: '{}', state: 'waiting', created_at: 1, since_at: 1, due_at },
    }))
    await db.insertInto('webhook_deliveries').values(rows).execute()
  }
  const idsOf = async () =>
    (await db.selectFrom('webhook_deliveries').select('id').orderBy('id').execute()).map(({ id }) => id)
  const rowOf = (id: string) =>
    db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('[HOOK-02] is served user by user, however much one has due and for how long', async () => {
    const greedy = await addEndpoint('greedy')
    const others = [await addEndpoint('b'), await addEndpoint('c')]
    await addDue('greedy', greedy, 200, 1)
    for (const [index, user] of others.entries()) await addDue(['b', 'c'][index] ?? '', user, 1, 50)
    const queue = createDeliveryQueue(db)
    const users = [greedy, ...others].sort()
    const turns = async (after?: string) =>
      (await queue.due(100, nobody, after)).rows.slice(0, 3).map((row) => row.user_id)
    expect(await turns()).toEqual(users)
    const [first = '', ...rest] = users
    expect(await turns(first)).toEqual([...rest, first])
    const { rows, more } = await queue.due(100, { ...nobody, users: [greedy] })
    expect([rows.map(({ id }) => id).sort(), more]).toEqual([['b-0', 'c-0'], false])
    expect((await queue.due(100, { ...nobody, slow: ['b'] })).rows.find(({ id }) => id === 'b-0')?.isFailing).toBe(true)
    const slow = { ...nobody, slow: ['greedy'], busy: ['greedy'] }
    expect((await queue.due(100, slow)).rows.map(({ id }) => id).sort()).toEqual(['b-0', 'c-0'])
    expect((await queue.due(49, nobody)).rows.every(({ user_id }) => user_id === greedy)).toBe(true)
  })

  it('[HOOK-02] is found however many endpoints were slow, of which those that are gone are forgotten', async () => {
    await addDue('there', await addEndpoint('there'), 1, 1)
    const queue = createDeliveryQueue(db)
    let slow: readonly string[] = []
    const claims = createClaims({
      queue: {
        ...queue,
        due(now, full, afterUser) {
          slow = full.slow
          return queue.due(now, full, afterUser)
        },
      },
      endpoints: createEndpointsRepo(db),
      changes: { of: () => ({ version: () => 0 }), seesOthers: false },
      clock: { now: () => 100 },
      claimMs: 30_000,
    })
    // More than either database takes parameters.
    for (let count = 0; count < 66_000; count++) claims.noteDuration(`gone-${count}`, 3_500)
    claims.noteDuration('there', 3_500)
    expect((await claims.claim(20)).map(({ row }) => row.id)).toEqual(['there-0'])
    expect(slow).toContain('there')
    await claims.forgetGone()
    await claims.claim(20)
    expect(slow).toEqual(['there'])
  })

  it('[HOOK-03] goes slice by slice with its endpoint, and nobody else loses anything', async () => {
    const [one, other] = [await addEndpoint('e'), await addEndpoint('other')]
    await addDue('e', one, 350, 1)
    await addDue('other', other, 1, 1)
    let deletions = 0
    const watched = db.withPlugin({
      transformQuery({ node }) {
        if (node.kind === 'DeleteQueryNode') deletions += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    expect((await createEndpointsRepo(watched).remove(one, 'e'))?.id).toBe('e')
    expect([deletions, await idsOf(), await createEndpointsRepo(db).owners()]).toEqual([5, ['other-0'], [other]])
    expect(await createEndpointsRepo(db).remove(one, 'e')).toBeNull()
  })

  it('[HOOK-03] is neither seen nor sent while its endpoint goes, and goes after a crash', async () => {
    const user = await addEndpoint('e')
    await addDue('e', user, 3, 1)
    const [endpoints, queue] = [createEndpointsRepo(db), createDeliveryQueue(db)]
    await db.updateTable('webhook_endpoints').set({ state: 'removing' }).execute()
    await endpoints.pause(user, 'e')
    await endpoints.resumeWithin(user, 'e', { most: 9, now: 9 })
    expect([await endpoints.byId(user, 'e'), await endpoints.list(user)]).toEqual([null, []])
    expect((await queue.due(9, nobody)).rows).toEqual([])
    await endpoints.removeMarked()
    expect([await idsOf(), await endpoints.owners()]).toEqual([[], []])
  })

  it('[HOOK-03] goes with its account', async () => {
    const [one, other] = [await addEndpoint('e'), await addEndpoint('other')]
    await addDue('e', one, 120, 1)
    await addDue('other', other, 1, 1)
    await createEndpointsRepo(db).removeAllOf(one)
    expect([await idsOf(), await createEndpointsRepo(db).owners()]).toEqual([['other-0'], [other]])
  })

  it('[HOOK-02] 410 of the address before a change does not switch the new one off, which is asked at once', async () => {
    const user = await addEndpoint('e')
    await addDue('e', user, 1, 1)
    const [endpoints, queue] = [createEndpointsRepo(db), createDeliveryQueue(db)]
    const [row] = await queue.claim(['e-0'], 2, 30_000)
    if (!row) throw new Error('nothing was claimed')
    await endpoints.change(user, 'e', { url_sealed: 'new' })
    const tried = { status: 410, code: 'gone', retryAfterMs: null, answer: '', durationMs: 1 }
    const gone = { tried, verdict: { is: 'failed', disable: 'gone' }, now: 5, isSure: true } as const
    expect(await queue.finish([{ ...gone, row, address: 's' }])).toEqual([null])
    expect(await endpoints.byId(user, 'e')).toMatchObject({ state: 'active', failing_since: null })
    expect(await rowOf('e-0')).toMatchObject({ state: 'waiting', due_at: 5, status: 410 })
    const [again] = await queue.claim(['e-0'], 6, 30_000)
    if (again) expect(await queue.finish([{ ...gone, row: again, address: 'new' }])).toEqual(['gone'])
  })

  it('[HOOK-02] does not wait for hours that a clock was set back by', async () => {
    const user = await addEndpoint('e')
    await addDue('e', user, 3, 1)
    const queue = createDeliveryQueue(db)
    const set = (id: string, values: { since_at: number; tried_at: number | null; due_at: number }) =>
      db.updateTable('webhook_deliveries').set(values).where('id', '=', id).execute()
    const now = 10 * HOUR_MS
    await set('e-0', { since_at: now - HOUR_MS, tried_at: now + 5 * HOUR_MS, due_at: now + 6 * HOUR_MS })
    await set('e-1', { since_at: now + 5 * HOUR_MS, tried_at: null, due_at: now + 5 * HOUR_MS })
    // This one only waits for its next try.
    await set('e-2', { since_at: now - HOUR_MS, tried_at: now - 1, due_at: now + 6 * HOUR_MS })
    expect([await queue.catchUpWithClock(now), await queue.catchUpWithClock(now)]).toEqual([2, 0])
    expect((await queue.due(now, nobody)).rows.map(({ id }) => id).sort()).toEqual(['e-0', 'e-1'])
    expect(await rowOf('e-1')).toMatchObject({ since_at: now, due_at: now })
  })
})
