import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDeliveryQueue } from '../src/modules/webhooks/delivery-queue.repo.ts'
import { createEndpointsRepo } from '../src/modules/webhooks/endpoints.repo.ts'
import { createTakeFacts } from '../src/modules/webhooks/take-facts.ts'
import { createTidying, KEPT_FINISHED } from '../src/modules/webhooks/tidying.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const MOST = { perEndpoint: 10, perUser: 20_000 }
const FACTS_AT_ONCE = 100
const ROUNDS = 16

describe.each(REPO_DATABASES)('full queues of webhooks, on $name', ({ open }) => {
  let opened: RepoDatabase
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  it('[HOOK-02] keep few of what they drop, also where no delivery ends and the program is a new one', async () => {
    const { db } = opened
    const userId = await addUser(db)
    const [queue, endpoints] = [createDeliveryQueue(db), createEndpointsRepo(db)]
    const known = { user_id: userId, url_sealed: 's', secret_sealed: 's', description: '', events: '["stream.live"]' }
    const ids = ['e', 'paused']
    for (const id of ids)
      await db
        .insertInto('webhook_endpoints')
        .values({ ...known, id, created_at: 0 })
        .execute()
    for (let round = 0; round < ROUNDS; round++) {
      const takeFacts = createTakeFacts({ streamWords: async () => new Map(), now: () => round, most: MOST })
      const facts = Array.from({ length: FACTS_AT_ONCE }, (_, index) => ({
        ...{ id: round * FACTS_AT_ONCE + index + 1, at: 1, userId, subjectKind: 'stream', subjectId: 'a' },
        ...{ fact: 'stream.live', payload: '{}' },
      }))
      await db.transaction().execute((inside) => takeFacts(inside, facts))
    }
    await endpoints.pause(userId, 'paused')
    const rowsOf = async (id: string, state: 'failed' | 'waiting') =>
      (await db.selectFrom('webhook_deliveries').selectAll().where('state', '=', state).execute()).filter(
        ({ endpoint_id }) => endpoint_id === id,
      )
    expect((await rowsOf('paused', 'failed')).length).toBeGreaterThan(1_500)

    const tidying = createTidying({
      ...{ endpoints, queue, allowedOf: async () => ids.length },
      ...{ clock: { now: () => ROUNDS }, log: pino({ level: 'silent' }) },
    })
    await tidying.run()
    for (const id of ids) {
      const failed = await rowsOf(id, 'failed')
      // What went in the same moment goes together.
      expect(failed.length).toBeGreaterThanOrEqual(KEPT_FINISHED - FACTS_AT_ONCE)
      expect(failed.length).toBeLessThanOrEqual(KEPT_FINISHED)
      // The newest.
      expect(Math.min(...failed.map(({ finished_at }) => finished_at ?? 0))).toBe(6)
      expect(await rowsOf(id, 'waiting')).toHaveLength(MOST.perEndpoint)
    }
    const all = ROUNDS * FACTS_AT_ONCE - MOST.perEndpoint
    expect((await endpoints.list(userId)).map(({ dropped }) => dropped)).toEqual([all, all])
  })
})
