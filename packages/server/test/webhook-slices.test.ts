import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeliveriesService } from '../src/modules/webhooks/deliveries.service.ts'
import { createDeliveryLog } from '../src/modules/webhooks/delivery-log.repo.ts'
import { createDeliveryQueue } from '../src/modules/webhooks/delivery-queue.repo.ts'
import { pauseEndpointsOf } from '../src/modules/webhooks/endpoint-states.ts'
import { createEndpointsRepo } from '../src/modules/webhooks/endpoints.repo.ts'
import { createPlaces } from '../src/modules/webhooks/places.ts'
import type { Db } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const CLAIM_MS = 30_000
const DAY_MS = 86_400_000
const NOW = 20 * DAY_MS
/** A slice has no more rows, and there are several. */
const SLICE = 200
const MANY = 350
const nobody = createPlaces().full()
const TAKEN = { status: 204, code: null, retryAfterMs: null, answer: '', durationMs: 1 }

interface Seen {
  onStatement?(kind: string): void
  onRows?(count: number): void
}

/** What is asked of the database, and how many rows each statement reads or changes. */
const watching = ({ onStatement, onRows }: Seen): KyselyPlugin => ({
  transformQuery({ node }) {
    onStatement?.(node.kind)
    return node
  },
  async transformResult({ result }) {
    onRows?.(Math.max(result.rows.length, Number(result.numAffectedRows ?? 0)))
    return result
  },
})

describe.each(REPO_DATABASES)('a long queue of a webhook, on $name', ({ open }) => {
  let opened: RepoDatabase
  let db: Db
  let userId: string

  beforeEach(async () => {
    opened = await open()
    db = opened.db
    userId = await addUser(db)
    const sealed = { url_sealed: 's', secret_sealed: 's' }
    await db
      .insertInto('webhook_endpoints')
      .values({ id: 'e', user_id: userId, ...sealed, description: '', events: '["stream.live"]', created_at: 0 })
      .execute()
  })
  afterEach(() => opened.close())

  const subjectOf = (index: number, subjects: number): string => `stream:${index % subjects}`
  /** The first of each subject is due. */
  async function addWaiting(subjects: number, count = MANY): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ id: `d${index}`, endpoint_id: 'e', user_id: userId, fact_id: index + 1, event: 'stream.live' },
      ...{
        subject: subjectOf(index, subjects),
        body: '{}',
        state: 'waiting',
        created_at: NOW,
        since_at: NOW,
        tries: 3,
      },
      due_at: index < subjects ? NOW : null,
    }))
    await db.insertInto('webhook_deliveries').values(rows).execute()
  }
  const rows = () => db.selectFrom('webhook_deliveries').selectAll().orderBy('fact_id').execute()
  const endpoint = () => createEndpointsRepo(db).byId(userId, 'e')
  const dueIds = async (now: number) => {
    const ids = await db.selectFrom('webhook_deliveries').select('id').where('due_at', '<=', now).execute()
    const isSent = (await createDeliveryQueue(db).due(now, nobody)).rows.length > 0
    return isSent ? ids.map(({ id }) => id).sort() : []
  }

  it('[HOOK-02] is changed a slice at a time, whatever happens to it', async () => {
    await addWaiting(MANY)
    let most = 0
    const watched = db.withPlugin(
      watching({
        onRows(count) {
          most = Math.max(most, count)
        },
      }),
    )
    const [endpoints, queue] = [createEndpointsRepo(watched), createDeliveryQueue(watched)]
    const mostOf = async (work: () => Promise<unknown>): Promise<number> => {
      most = 0
      await work()
      return most
    }
    expect(await mostOf(() => endpoints.pause(userId, 'e'))).toBeLessThanOrEqual(1)
    expect((await createDeliveryQueue(db).due(NOW + DAY_MS, nobody)).rows).toEqual([])
    const resumedAt = NOW + 1
    const resume = () => endpoints.resumeWithin(userId, 'e', { most: 1, now: resumedAt })
    expect(await mostOf(resume)).toBeLessThanOrEqual(SLICE)
    expect((await rows()).every((row) => row.due_at === resumedAt && row.tries === 0)).toBe(true)
    const lateAt = resumedAt + DAY_MS
    await db.updateTable('webhook_deliveries').set({ due_at: lateAt }).execute()
    const hurry = () => createDeliveryLog(watched).hurry('e', { now: resumedAt + 1, claimMs: CLAIM_MS })
    expect(await mostOf(async () => expect(await hurry()).toBe(MANY))).toBeLessThanOrEqual(SLICE)
    expect(await dueIds(resumedAt + 1)).toHaveLength(MANY)
    await db.updateTable('webhook_deliveries').set({ state: 'failed', due_at: null, finished_at: 1 }).execute()
    await db.updateTable('webhook_deliveries').set({ finished_at: 2 }).where('fact_id', '<=', 5).execute()
    const trim = () => queue.trimFinished('e', 5)
    expect(await mostOf(async () => expect(await trim()).toBe(MANY - 5))).toBeLessThanOrEqual(SLICE)
    expect((await rows()).map(({ fact_id }) => fact_id)).toEqual([1, 2, 3, 4, 5])
  })

  it('[HOOK-02] goes on whole and in order, at whichever statement a resume was killed', async () => {
    await addWaiting(3)
    // The first of one subject is too old by now, and another one was sent again by hand.
    await db.updateTable('webhook_deliveries').set({ created_at: 1 }).where('fact_id', '=', 1).execute()
    await db.updateTable('webhook_deliveries').set({ in_order: 0 }).where('fact_id', '=', 302).execute()
    const heads = ['d1', 'd2', 'd3', 'd301'].sort()
    const endpoints = createEndpointsRepo(db)
    let crashes = 0
    for (let isKilled = true; isKilled; ) {
      await endpoints.pause(userId, 'e')
      // As an earlier version left them.
      await db.updateTable('webhook_deliveries').set({ due_at: null }).execute()
      let left = crashes
      const dying = db.withPlugin(
        watching({
          onStatement: () => {
            if (left-- === 0) throw new Error('killed')
          },
        }),
      )
      isKilled = await createEndpointsRepo(dying)
        .resumeWithin(userId, 'e', { most: 1, now: NOW + 1 })
        .then(
          () => false,
          () => true,
        )
      if (isKilled) {
        crashes++
        expect([(await endpoint())?.state, await dueIds(NOW + DAY_MS)]).toEqual(['paused', []])
        // The next start looks for what is to go on. Before anything was noted its owner has to ask once more.
        await endpoints.keepToPlan(userId, 1, NOW + 2)
        await endpoints.resumeWithin(userId, 'e', { most: 1, now: NOW + 2 })
      }
      expect(await endpoint()).toMatchObject({ state: 'active', state_reason: null })
      expect(await dueIds(NOW + 2)).toEqual(heads)
    }
    expect(crashes).toBeGreaterThan(4 * 3)
    const queue = createDeliveryQueue(db)
    const got: number[] = []
    for (let ids = heads; ids.length > 0; ids = await dueIds(NOW + 2)) {
      const claimed = await queue.claim(ids, NOW + 2, CLAIM_MS)
      got.push(...claimed.filter(({ in_order }) => in_order === 1).map(({ fact_id }) => fact_id ?? 0))
      const finished = { address: 's', tried: TAKEN, verdict: { is: 'delivered' }, now: NOW + 2, isSure: true } as const
      await queue.finish(claimed.map((row) => ({ ...finished, row })))
    }
    const all = await rows()
    expect([all.length, all.every(({ state }) => state === 'delivered')]).toEqual([MANY - 1, true])
    for (const subject of [0, 1, 2]) {
      const own = got.filter((fact) => (fact - 1) % 3 === subject)
      expect(own).toEqual(own.toSorted((one, other) => one - other))
    }
  })

  it.each([
    { who: 'its owner', pause: (id: string) => createEndpointsRepo(db).pause(id, 'e') },
    {
      who: 'the proof of its mailbox',
      pause: (id: string) => db.transaction().execute((inside) => pauseEndpointsOf(inside, id)),
    },
  ])('[HOOK-02] stays paused where $who pauses it while it is being resumed', async ({ pause }) => {
    await addWaiting(MANY)
    await createEndpointsRepo(db).pause(userId, 'e')
    const pausing: Promise<unknown>[] = []
    const watched = db.withPlugin(
      watching({
        onRows(count) {
          // In the midst of its first slice.
          if (count > 50 && pausing.length === 0) pausing.push(pause(userId))
        },
      }),
    )
    await createEndpointsRepo(watched).resumeWithin(userId, 'e', { most: 1, now: NOW + 1 })
    expect(await Promise.all(pausing)).toHaveLength(1)
    expect(await endpoint()).toMatchObject({ state: 'paused', state_reason: null })
    await createEndpointsRepo(db).keepToPlan(userId, 1, NOW + 1)
    expect((await endpoint())?.state).toBe('paused')
  })

  it('[HOOK-02] is neither claimed nor shown as due once its endpoint is paused', async () => {
    await addWaiting(2, 2)
    const queue = createDeliveryQueue(db)
    const ids = (await queue.due(NOW, nobody)).rows.map(({ id }) => id)
    expect(ids).toHaveLength(2)
    const ownRow = async () => (await endpoint()) ?? expect.unreachable()
    const service = createDeliveriesService({
      ...{ log: createDeliveryLog(db), ownRow, send: async () => TAKEN, clock: { now: () => NOW } },
      ...{ claimMs: CLAIM_MS, wake() {}, trim: async () => 0 },
    })
    const caller = { userId, workspaceId: userId, role: 'owner' } as const
    const shown = async () => {
      const { data } = await service.list(caller, 'e', { limit: 9 })
      return [...data, await service.get(caller, 'e', 'd0')].filter(({ nextTryAt }) => nextTryAt !== null).length
    }
    expect(await shown()).toBe(3)
    await createEndpointsRepo(db).pause(userId, 'e')
    expect([await queue.claim(ids, NOW, CLAIM_MS), await shown()]).toEqual([[], 0])
  })
})
